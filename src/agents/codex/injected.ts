/**
 * What the program writes under the user's name or as a developer, for the model alone. It is no content, so it is
 * counted and not shown. A prompt may quote any of it: only a text that is nothing else is taken for it.
 */

/** Elements, by their names, with the versions in which they were seen. */
export const INJECTED_ELEMENTS = {
  environment_context: '0.34 to 0.171',
  user_instructions: '0.34',
  INSTRUCTIONS: '0.63 to 0.121',
  'permissions instructions': '0.111 to 0.121',
  'app-context': '0.118 to 0.121',
  collaboration_mode: '0.111 to 0.171',
  model_switch: '0.119',
  personality_spec: '0.117',
  recommended_plugins: '0.121',
  plugins_instructions: '0.117 to 0.121',
  skills_instructions: '0.117 to 0.171',
  apps_instructions: '0.117 to 0.121',
  multi_agent_role: '0.171',
  multi_agent_mode: '0.171',
  tools: '0.171',
} as const;

/** Newer versions name the origin of each text. Seen in 0.171. */
export const INJECTED_ORIGINS: ReadonlySet<string> = new Set([
  'collaboration_mode.instructions',
  'environments.environment_context',
  'host_skills.instructions',
  'model.base_instructions',
  'multi_agent.mode_instructions',
  'multi_agent.role_instructions',
  'permissions.instructions',
  'tools.deferred_namespaces',
]);

const NAMES = Object.keys(INJECTED_ELEMENTS).join('|');
/** The head of a project's instructions stands before their element. Seen in 0.63 to 0.121. */
const AGENTS_HEAD = String.raw`# AGENTS\.md instructions[^\n]*\n\s*`;
const ELEMENT = new RegExp(String.raw`^\s*(${AGENTS_HEAD})?<(${NAMES})(?=[\s>])[^>]*>[\s\S]*?</\2>\s*`);
const ONE_ELEMENT = new RegExp(String.raw`^\s*(${AGENTS_HEAD})?<(${NAMES})(?=[\s>])[^>]*>[\s\S]*</\2>\s*$`);
/** Seen in 0.117 to 0.121. */
const APPROVED = /^\s*Approved command prefix saved:\n/;

/** What a text is counted under that is injected as a whole; undefined where it is anything else. */
export function injectedWhole(text: string): string | undefined {
  if (APPROVED.test(text)) return 'injected/approved command prefix';
  const one = ONE_ELEMENT.exec(text);
  if (one) return kindOf(one);
  let first: string | undefined;
  for (let rest = text; rest !== ''; ) {
    const element = ELEMENT.exec(rest);
    if (!element) return undefined;
    first ??= kindOf(element);
    rest = rest.slice(element[0].length);
  }
  return first;
}

function kindOf(element: RegExpExecArray): string {
  return element[1] !== undefined ? 'injected/AGENTS.md' : `injected/${element[2]}`;
}
