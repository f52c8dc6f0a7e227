import { describe, expect, it } from 'vitest';
import { sentApart, tellApart } from '../../../src/agents/codex/prompts.ts';
import { read, Script, turnId } from './script.ts';

const ENVIRONMENT = '<environment_context>\n  <cwd>/home/dev</cwd>\n</environment_context>';
const AGENTS = '# AGENTS.md instructions for /home/dev\n\n<INSTRUCTIONS>\nPaint only by day.\n</INSTRUCTIONS>';

describe('what the program writes for the model alone', () => {
  it.each([
    ['environment_context', ENVIRONMENT],
    ['AGENTS.md', AGENTS],
    ['user_instructions', '<user_instructions>\n\nPaint only by day.\n\n</user_instructions>'],
    ['permissions instructions', '<permissions instructions>\nNone.\n</permissions instructions>'],
    ['app-context', '<app-context>\n# Desktop\n</app-context>'],
    ['AGENTS.md', `${AGENTS}\n\n${ENVIRONMENT}`],
  ])('is no content: %s', (kind, text) => {
    expect(tellApart(text)).toEqual([{ as: 'injected', kind: `injected/${kind}`, text }]);
  });

  it.each([
    `${ENVIRONMENT}\n\nWhat does this mean?`,
    `What does this mean?\n${ENVIRONMENT}`,
    '<environment_context> is what you are told',
    '# AGENTS.md instructions\n\nWrite some, please.',
    '<toolset>paint</toolset>',
    '<tools>paint',
  ])('is a prompt’s own where a person quotes it: %s', (text) => {
    expect(tellApart(text)).toEqual([{ as: 'prompt', text }]);
  });

  it('is a prompt where an event says that a person sent nothing else', () => {
    expect(sentApart(ENVIRONMENT)).toEqual([{ as: 'prompt', text: ENVIRONMENT }]);
  });

  it('is counted and not told, in whatever name it came', async () => {
    const found = await read(
      new Script()
        .meta(undefined, { base_instructions: { text: 'You are a painter.' } })
        .heard('<permissions instructions>\nNone.\n</permissions instructions>', 'developer')
        .heard('Approved command prefix saved:\n- ["paint"]', 'developer')
        .heard('The tide is in.', 'developer')
        .heard(AGENTS)
        .heard(ENVIRONMENT)
        .task(turnId(1))
        .asked('Paint the pier.')
        .answered('Done.'),
    );
    expect(found.lines()).toEqual(['system: The tide is in.', 'user: Paint the pier.', 'assistant: Done.']);
    expect(found.last.tally.notShown).toEqual({
      'session_meta base_instructions': 1,
      'injected/permissions instructions': 1,
      'injected/approved command prefix': 1,
      'injected/AGENTS.md': 1,
      'injected/environment_context': 1,
    });
    // Its place among the records is kept: a fork finds it there.
    expect(found.of('link')).toHaveLength(4);
  });
});

describe('a command that a person ran', () => {
  const ran = (result: string) =>
    tellApart(
      `<user_shell_command>\n<command>\npaint --red\n</command>\n<result>\n${result}\n</result>\n</user_shell_command>`,
    );

  it.each([
    ['! paint --red\nexit code 3\nno paint', 'Exit code: 3\nDuration: 0.1 seconds\nOutput:\nno paint\n'],
    ['! paint --red\nwet', 'Exit code: 0\nDuration: 0.1 seconds\nOutput:\nwet\n'],
    ['! paint --red', 'Exit code: 0\nDuration: 0.1 seconds\nOutput:\n\n'],
    ['! paint --red\nexit code -1', 'Exit code: -1\nDuration: 0.1 seconds\nOutput:\n\n'],
  ])('is told with how it failed: %j', (text, result) => {
    expect(ran(result)).toEqual([{ as: 'notice', kind: 'command', text }]);
  });
});

describe('what is known and not shown', () => {
  it('is counted by the type of its record, of an item or of an event', async () => {
    const found = await read(
      new Script()
        .meta()
        .record('world_state', { state: {} })
        .item('ghost_snapshot', {})
        .event('turn_diff', { unified_diff: '+green' })
        .done('Plan', { text: 'paint' })
        .record('compacted', { message: 'So far.', replacement_history: [{ type: 'message' }] })
        .event('hologram', {}),
    );
    expect(found.last.tally).toMatchObject({
      unknown: { 'event_msg/hologram': 1 },
      notShown: {
        world_state: 1,
        'response_item/ghost_snapshot': 1,
        'event_msg/turn_diff': 1,
        'event_msg/item_completed/Plan': 1,
        'compacted replacement_history': 1,
      },
    });
  });
});
