/** The constants of ranking. Only an evaluation may change them. */
export const RANKING = {
  /** Reciprocal rank fusion. */
  rrfK: 60,
  /** What scores under this share of the best is noise. */
  trim: 0.1,
  /** Per day: half the weight after about a year. */
  decay: 0.002,
  /** So few records that hold every word were named, not browsed: age does not count, and they are lifted. */
  lookupMost: 10,
  lookupLift: 3,
  rewound: 0.7,
  subagent: 0.85,
} as const;

/** A passage on its way through the ranking, with every factor of its score. */
export interface Candidate {
  readonly passage: number;
  readonly session: number;
  readonly turn: number;
  readonly lexical: number;
  readonly rank: number;
  readonly holdsAll: boolean;
  readonly isRewound: boolean;
  readonly isSubagent: boolean;
  /** Epoch milliseconds of the session's last activity. */
  readonly active?: number;
}

export interface Factors {
  readonly rrf: number;
  readonly salience: number;
  readonly age: number;
  readonly lift: number;
}

export interface Ranked extends Candidate {
  readonly score: number;
  readonly factors: Factors;
}

/** Scores candidates: reciprocal rank times salience, the noise trimmed, then age and lift. Best first. */
export function ranked(candidates: readonly Candidate[], now: number): Ranked[] {
  const full = candidates.filter((candidate) => candidate.holdsAll).length;
  const isLookup = full > 0 && full <= RANKING.lookupMost;
  const scored = candidates.map((candidate) => {
    const rrf = 1 / (RANKING.rrfK + candidate.rank);
    const salience = (candidate.isRewound ? RANKING.rewound : 1) * (candidate.isSubagent ? RANKING.subagent : 1);
    return { candidate, rrf, salience, relevance: rrf * salience };
  });
  const best = Math.max(...scored.map(({ relevance }) => relevance));
  return scored
    .filter(({ relevance }) => relevance >= best * RANKING.trim)
    .map(({ candidate, rrf, salience, relevance }) => {
      const named = isLookup && candidate.holdsAll;
      const age = named ? 1 : ageFactor(candidate.active, now);
      const lift = named ? RANKING.lookupLift : 1;
      return { ...candidate, score: relevance * age * lift, factors: { rrf, salience, age, lift } };
    })
    .sort((a, b) => Number(b.holdsAll) - Number(a.holdsAll) || b.score - a.score || b.passage - a.passage);
}

function ageFactor(active: number | undefined, now: number): number {
  const days = Math.max(0, now - (active ?? 0)) / 86_400_000;
  return Math.exp(-RANKING.decay * Math.min(days, 3650));
}
