import type { SessionFacts, ToolResult } from '../agents/source.ts';
import { redactDeep, redactText } from '../redact/redact.ts';
import type { Part } from '../transcript/index.ts';
import { cutAt, KEPT_OF_A_TEXT, KEPT_OF_AN_OUTPUT } from './limits.ts';

/** Redacts what is about to be kept and cuts it to the limits, in that order: a cut must not hide a secret's beginning. */
export class Protector {
  secrets = 0;
  cutOutputs = 0;

  text(text: string): string {
    const { text: clean, count } = redactText(text);
    this.secrets += count;
    return clean;
  }

  deep<T>(value: T): T {
    const { value: clean, count } = redactDeep(value);
    this.secrets += count;
    return clean as T;
  }

  facts(facts: SessionFacts): SessionFacts {
    return this.deep(facts);
  }

  part(part: Part): Part {
    switch (part.type) {
      case 'text':
      case 'thinking':
      case 'notice':
        return { ...part, ...cutAt(this.text(part.text), KEPT_OF_A_TEXT) };
      case 'tool_call':
        return {
          ...part,
          input: this.input(part.input),
          paths: part.paths.map((path) => this.text(path)),
          ...(part.command !== undefined && { command: cutAt(this.text(part.command), KEPT_OF_A_TEXT).text }),
        };
      case 'attachment':
        return part.name === undefined ? part : { ...part, name: this.text(part.name) };
    }
  }

  result(result: ToolResult): Pick<ToolResult, 'output' | 'cut' | 'paths'> {
    const paths = (result.paths ?? []).map((path) => this.text(path));
    if (result.output === undefined) return { paths };
    const { text, cut } = cutAt(this.text(result.output), KEPT_OF_AN_OUTPUT);
    if (cut) this.cutOutputs++;
    return { paths, output: text, ...(cut && { cut }) };
  }

  private input(input: unknown): unknown {
    return shortened(this.deep(input));
  }
}

/** A value whose longest strings are cut; the same object where none is too long. */
function shortened(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cutAt(value, KEPT_OF_A_TEXT).text;
  if (value === null || typeof value !== 'object' || depth > 64) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => shortened(item, depth + 1));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const entries = Object.entries(value);
  const changed = entries.map(([key, item]) => [key, shortened(item, depth + 1)] as const);
  return changed.some(([, item], i) => item !== entries[i]![1]) ? Object.fromEntries(changed) : value;
}
