/** A quote, also one escaped in JSON, in JSON in JSON. */
export const QUOTE = '\\\\{0,16}["\'`]';
/** A blank, also one that does not break, and that of full width. */
const BLANK = '[ \\t\\u00a0\\u3000]';

/**
 * A sign between a name and its value: `=`, `:`, `=>`, `:=`, `: string =`, full-width ones; before it what stands there by
 * default (`[None]`), and the blanks that align it with others.
 */
const SIGN =
  `(?:${BLANK}{1,4}\\[[^\\]\\n]{0,40}\\])?${BLANK}{0,80}(?::[ \\t]{0,2}[\\w.<>|]{1,32}[ \\t]{0,4})?` +
  `(?::=|=>|={1,2}|:(?!:)|\\?=|\\+=|[：＝])${BLANK}{0,8}(?:\\\\n[ \\t]{0,8})?`;
const LINE_BEGINS = '(?:^|[\\n\\r])[ \\t|│┃║]{0,8}';
const CELL_ENDS = '(?=[^\\s|│┃║]{8,200}[ \\t]{0,80}(?:[|│┃║\\n\\r]|$))';
/** What stands between a name and its value. */
const FORMS: readonly string[] = [
  // Behind the quotes and brackets of the name.
  `(?:${QUOTE}\\]?|(?<=\\[:[\\w-]{1,60})\\])?${SIGN}`,
  // The end of an element; a pair of elements.
  '>',
  '<\\/(?:name|key)>\\s{0,40}<(?:value|string)>',
  // A pair of attributes; an attribute and an element.
  `${QUOTE}\\s(?:[^<>\\n]{0,100}?\\s)?[Vv]alue\\s?=\\s?(?=${QUOTE})`,
  `${QUOTE}[^<>\\n]{0,80}>\\s{0,40}<value>`,
  // The first two arguments of a call.
  `${QUOTE}\\s{0,4},\\s{0,16}(?=${QUOTE})(?<=\\(\\s{0,4}${QUOTE}[\\w.-]{1,100}${QUOTE}[\\s,]{1,21})`,
  // A directive and its argument in quotes, one word.
  `[ \\t]{1,4}(?=(?<mark>["'])[^\\s"']{8,200}\\k<mark>)`,
  // A line of the registry, and the command that sets it.
  '[ \\t]{1,40}REG_[A-Z_]{2,12}[ \\t]{1,40}',
  `[ \\t]{1,8}\\/t[ \\t]{1,8}REG_[A-Z_]{2,12}[ \\t]{1,8}\\/d[ \\t]{1,8}(?:${QUOTE})?`,
  // The cells of a table: between bars, or a line of two columns.
  `[ \\t]{0,80}[|│┃║][ \\t]{1,80}${CELL_ENDS}(?<=(?:${LINE_BEGINS}|[|│┃║][ \\t]{1,80})[\\w./ -]{1,100}[|│┃║][ \\t]{1,80})`,
  `(?:[ \\t]{2,80}|\\t)${CELL_ENDS}(?<=${LINE_BEGINS}[\\w./-]{1,100}[ \\t]{1,80})`,
];
export const BETWEEN = `(?:${FORMS.join('|')})`;

/** A value in quotes, as far as they reach or the line does. */
export const QUOTED = `(?<quote>${QUOTE})(?<secret>(?:(?!\\k<quote>)[^\\n\\r]){1,128})`;
/** One without: up to a blank, a quote, an escaped line's end, or what separates it from the next. */
export const BARE =
  '(?<secret>(?:<[A-Za-z _-]{2,40}>|<)?(?:(?!\\\\{1,6}[nrt"\'u]|[,;.)}\\]]+(?:\\s|$|["\'`\\\\])|[;&,]\\s?[\\w.-]{1,64}=|%26)[^\\s"\'`<>|\\x00-\\x1f，。、；！？」』）]){1,128})';
/** A word of a command line, in quotes or without. */
export const WORD = `(?:${QUOTE})?(?<secret>[^\\s"'\`<>|\\\\]{1,128})`;

/** The rest of a long value. */
export const REST = /[^\s"'`<>|;,\\)}\]，。、；！？」』）]*/y;
