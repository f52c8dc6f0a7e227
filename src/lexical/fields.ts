/** The fields of a passage, each searchable alone. The order is that of the columns. */
export const FIELDS = ['title', 'prompt', 'answer', 'thinking', 'tools', 'output', 'paths'] as const;
export type Field = (typeof FIELDS)[number];

/** How much a word weighs by where it stands: what people said before what machines printed. */
export const FIELD_WEIGHTS: Readonly<Record<Field, number>> = {
  title: 4,
  prompt: 3,
  answer: 2,
  thinking: 1,
  tools: 1.5,
  output: 0.7,
  paths: 2,
};
