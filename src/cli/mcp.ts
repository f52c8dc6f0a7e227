import { type Command, EXIT } from './command.ts';
import { readFlags } from './flags.ts';

export const mcp: Command = {
  name: 'mcp',
  summary: 'serve the history to an agent (MCP over stdio)',
  help: `Usage: portolan mcp

Speaks the Model Context Protocol on stdin and stdout, until stdin ends. Agents
start it; portolan setup tells them to. Its tools: search_history, read_turn.
Reads only what is indexed and writes nothing. PORTOLAN_DEBUG=1 logs to stderr.`,
  async run(context) {
    readFlags('mcp', context.args, {}, 0);
    const { serve } = await import('../mcp/stdio.ts');
    await serve(context.variables);
    return EXIT.ok;
  },
};
