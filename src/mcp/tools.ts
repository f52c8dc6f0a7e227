import { readTurn } from './read-turn.ts';
import { searchHistory } from './search-history.ts';
import type { Tool } from './tool.ts';

/** Every tool, in the order in which agents see them. A new one is one file and one line here. */
export const TOOLS: readonly Tool[] = [searchHistory, readTurn];
