import { redactText } from '../../redact/redact.ts';
import { undressed } from '../../transcript/dressing.ts';
import { merged, type Reading } from './filters.ts';
import { type NamedSource, SOURCE_NAMES, SourceNames } from './names.ts';
import { type Piece, piecesOf, wordOf } from './pieces.ts';
import { plainLanguage } from './plain-language.ts';
import { type Clause, not, type Query } from './query.ts';
import { calendarOf } from './times.ts';

export interface ParseOptions {
  /** A time zone's name; the machine's where none is given. */
  readonly zone?: string;
  /** The sources that plain language may name; those of the registry where none are given. */
  readonly sources?: readonly NamedSource[];
}

/** Reads what was typed, without the secrets in it and without colours: a query is echoed, and may hold a key that somebody looks for. */
export function parseQuery(typed: string, now: number, options: ParseOptions = {}): Query {
  return readQuery(redactText(undressed(typed)).text, now, options);
}

/**
 * Reads a text that holds no secrets, as a printed query, as if it were `now` (epoch milliseconds). It never fails: an operator without operands, a field
 * that does not exist and a value that a field cannot take are words, so that a pasted error line is a query.
 */
export function readQuery(text: string, now: number, { zone, sources }: ParseOptions = {}): Query {
  const reading: Reading = {
    calendar: calendarOf(now, zone),
    names: sources ? new SourceNames(sources) : SOURCE_NAMES,
  };
  return { text, clauses: new Parser(plainLanguage(piecesOf(text, reading), reading)).read() };
}

class Parser {
  private readonly pieces: readonly Piece[];
  private at = 0;

  constructor(pieces: readonly Piece[]) {
    this.pieces = pieces;
  }

  read(): Clause[] {
    const levels: Clause[][] = [];
    while (this.at < this.pieces.length) {
      levels.push(this.level());
      // A parenthesis that closes nothing.
      this.at++;
    }
    return levels.length === 1 ? levels[0]! : merged(levels.flat());
  }

  /** Clauses beside each other, up to a closing parenthesis or the end. `OR` binds its neighbours. */
  private level(): Clause[] {
    const clauses: Clause[] = [];
    for (;;) {
      const piece = this.pieces[this.at];
      if (!piece || piece.type === 'close')
        return merged(clauses.flatMap((one) => (one.type === 'and' ? one.of : [one])));
      if (piece.type === 'or') {
        // Nothing stands before it.
        this.at++;
        clauses.push(wordOf('OR'));
      } else {
        const clause = this.alternatives();
        if (clause) clauses.push(clause);
      }
    }
  }

  /** An operand, and those that `OR` binds to it. */
  private alternatives(): Clause | undefined {
    const first = this.operand();
    if (!first) return undefined;
    const of = [first];
    while (this.pieces[this.at]?.type === 'or') {
      const at = this.at++;
      const next = this.operand();
      if (!next) {
        this.at = at;
        break;
      }
      of.push(next);
    }
    return of.length === 1 ? first : either(of);
  }

  /** A word, a phrase, a filter or a group; undefined where none stands here, or an empty group. */
  private operand(): Clause | undefined {
    const piece = this.pieces[this.at];
    switch (piece?.type) {
      case 'bare':
        this.at++;
        return piece.word;
      case 'clause':
        this.at++;
        return piece.negated ? not(piece.clause) : piece.clause;
      case 'open': {
        this.at++;
        const of = this.level();
        this.at++;
        const group: Clause | undefined = of.length > 1 ? { type: 'and', of } : of[0];
        return group && piece.negated ? not(group) : group;
      }
      default:
        return undefined;
    }
  }
}

/** One of several, with the alternatives they are made of. Filters of one field are one filter. */
function either(clauses: readonly Clause[]): Clause {
  const of = merged(
    clauses.flatMap((one) => (one.type === 'or' ? one.of : [one])),
    true,
  );
  return of.length > 1 ? { type: 'or', of } : of[0]!;
}
