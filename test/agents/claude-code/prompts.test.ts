import { describe, expect, it } from 'vitest';
import { tellApart } from '../../../src/agents/claude-code/prompts.ts';

const told = (said: string) =>
  tellApart(said).map((each) =>
    each.as === 'injected' ? [each.kind] : [each.as === 'prompt' ? 'prompt' : each.kind, each.text],
  );

describe('a text under the user’s name', () => {
  it('is a prompt', () => {
    expect(told('Paint the pier.\n\nGreen, please.')).toEqual([['prompt', 'Paint the pier.\n\nGreen, please.']]);
  });

  it('is nothing where it is blank', () => {
    expect(told(' \n\t')).toEqual([]);
    expect(told('')).toEqual([]);
  });

  it.each([
    'system-reminder',
    'ide_opened_file',
    'ide_selection',
    'ide_diagnostics',
    'new-diagnostics',
    'user-prompt-submit-hook',
  ])('is parted from the <%s> before it', (tag) => {
    const wrapper = `<${tag}>The file\npier.ts is open.</${tag}>`;
    expect(told(`${wrapper}\nPaint the pier.`)).toEqual([
      ['system', wrapper],
      ['prompt', 'Paint the pier.'],
    ]);
    expect(told(wrapper)).toEqual([['system', wrapper]]);
  });

  it('is parted from several wrappers of different kinds', () => {
    expect(
      told(
        '<system-reminder>a</system-reminder>\n<ide_selection>b</ide_selection> <system-reminder>c</system-reminder> Go.',
      ),
    ).toEqual([
      ['system', '<system-reminder>a</system-reminder>'],
      ['system', '<ide_selection>b</ide_selection>'],
      ['system', '<system-reminder>c</system-reminder>'],
      ['prompt', 'Go.'],
    ]);
  });

  it('is a prompt where it only speaks of a wrapper, or never ends it', () => {
    for (const said of [
      'What does <system-reminder>x</system-reminder> mean?',
      '<system-reminder>never ended',
      '<div>markup of the person’s own</div>',
    ])
      expect(told(said)).toEqual([['prompt', said]]);
  });

  it.each([
    [
      '/compact',
      '<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args></command-args>',
    ],
    [
      '/model opus',
      '<command-name>/model</command-name><command-message>model</command-message><command-args>opus</command-args>',
    ],
    ['! git status', '<bash-input>git status</bash-input>'],
    ['on branch main', '<bash-stdout>on branch main</bash-stdout><bash-stderr></bash-stderr>'],
    ['out\nerr', '<bash-stdout>out</bash-stdout><bash-stderr>err</bash-stderr>'],
    ['Set model', '<local-command-stdout>Set model</local-command-stdout>'],
    ['No such model', '<local-command-stderr>No such model</local-command-stderr>'],
    ['echo </bash-stdout> ends', '<bash-stdout>echo </bash-stdout> ends</bash-stdout>'],
  ])('is a command, told as it was typed: %s', (typed, envelope) => {
    expect(told(envelope)).toEqual([['command', typed]]);
  });

  it.each([
    ['interruption', '[Request interrupted by user]'],
    ['interruption', '[Request interrupted by user for tool use]'],
    ['system', '<task-notification>\n<task-id>b1</task-id></task-notification>'],
    ['system', 'Stop hook feedback:\n- tests fail'],
    ['system', 'PreToolUse hook blocking error from command: "guard"'],
    ['compaction', 'This session is being continued from a previous conversation that ran out of context.'],
    ['command', 'Unknown slash command: tide'],
    ['system', '[Image: source: /tmp/pier.png]'],
  ])('is the program’s (%s): %s', (kind, said) => {
    expect(told(said)).toEqual([[kind, said]]);
  });

  it.each([
    ['/tide', '<command-message>tide</command-message>'],
    [
      '/tide high',
      '<command-message>tide is running…</command-message>\n<command-name>/tide</command-name>\n<command-args>high</command-args>',
    ],
  ])('is a prompt where it is a command that the model answers: %s', (typed, envelope) => {
    expect(told(envelope)).toEqual([['prompt', typed]]);
  });

  it('is told apart in time that grows with its length alone', () => {
    const started = performance.now();
    tellApart('<system-reminder>'.repeat(20_000));
    tellApart(`${'<system-reminder>x</system-reminder>'.repeat(5000)}go`);
    tellApart(`${' '.repeat(200_000)}x`);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
