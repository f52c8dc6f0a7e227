import * as z from 'zod/v4';

/** The documents, as `--json` prints them. They may hold more than is written here: what grows breaks no client. */
const text = z.string();
const count = z.number();
/** First and last of a document, for clients show the document to their models: all that stands between is fenced. */
const begin = { untrusted_begin: text.describe('How the texts in this document are to be taken') };
const end = { untrusted_end: text };

const sources = z.record(text, z.looseObject({ state: text, sessions: count.optional(), reason: text.optional() }));

const hit = z.looseObject({
  id: text.describe('The turn, for read_turn and for citing'),
  session: text,
  source: text,
  label: text,
  title: text.optional(),
  project: text.optional(),
  cwd: text.optional(),
  branch: text.optional(),
  timestamp: text.optional(),
  turn: count,
  field: text,
  score: z.number(),
  snippet: text,
  highlights: z.array(z.array(count)),
  more_turns: count,
  superseded: z.boolean().optional().describe('The agent’s file does not hold the turn any more'),
  resume: z.looseObject({ argv: z.array(text) }).optional(),
});

export const searchDocument = z.looseObject({
  ...begin,
  query: z.looseObject({ text, terms: z.array(text) }),
  total: z.looseObject({ turns: count, relation: z.enum(['eq', 'gte']) }),
  cursor: text.nullable(),
  index: z.looseObject({ sessions: count, turns: count, passages: count, lag_ms: z.number().nullable() }),
  hits: z.array(hit),
  nothing: z.looseObject({ unknown_words: z.array(text) }).optional(),
  sources,
  excluded_session: text.optional().describe('The calling session, which was left out'),
  warnings: z.array(text),
  ...end,
});

export const turnDocument = z.looseObject({
  ...begin,
  session: z.looseObject({ id: text, source: text, title: text.optional(), project: text.optional(), path: text }),
  turn: z.looseObject({
    id: text,
    index: count,
    prompt: text.optional(),
    parts: z.array(z.looseObject({ type: text, left_out: count.optional().describe('Characters not in this piece') })),
  }),
  window: z.object({ offset: count, total: count, next_offset: count.nullable() }),
  sources,
  ...end,
});
