/** Pieces that mean something to a query, and characters that mean something elsewhere. */
const PIECES = [
  ...'abz019 \t\n"\'-*:()|&!\\/._~^%$#@{}[]<>,;ßé数🚀',
  '\ud83d',
  '\u0000',
  '\u00a0',
  ...' ¦ ¦ ¦ ¦ OR ¦ OR ¦(¦) ¦-(¦ (¦--¦-"¦:"¦"" ¦" ¦ "¦since:¦until:¦source:¦role:¦is:¦type:¦path:¦tool:¦word:¦-word:"'.split(
    '¦',
  ),
  ...'lamp ¦rope¦-wick ¦"red buoy" ¦migrat* ¦codex¦ claude code ¦in ¦not ¦only ¦sessions ¦today ¦yesterday¦ last ¦week '.split(
    '¦',
  ),
  ...'3d ¦2 ¦days ¦ago ¦since ¦before ¦between ¦and ¦monday ¦ friday¦ in march ¦2025 ¦2026-11-05¦T08:00Z¦ 14:00 ¦UTC ¦error '.split(
    '¦',
  ),
  ...'source:codex ¦is:error ¦role:user,tool ¦project:"a b" ¦-path:src/*.ts ¦since:3d ¦until:"last friday" ¦source:codex,devin '.split(
    '¦',
  ),
];

/** Texts of up to 40 pieces, the same each time. */
export function randomTexts(count: number, seed = 7): string[] {
  let state = seed;
  const random = (n: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % n;
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: random(random(5) === 0 ? 40 : 14) }, () => PIECES[random(PIECES.length)]).join(''),
  );
}
