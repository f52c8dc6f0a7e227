import { hash53 } from '../../transcript/index.ts';

/** An output that was told with the command inside the script: how long it was, and its hash. */
export type Inner = readonly [length: number, hash: number];

const REMEMBERED = 40;

/**
 * In code mode the model writes a script, and what its commands print stands twice: with the command, and in what the
 * script printed. Takes away from the latter what was told with the former.
 */
export class Scripts {
  private inner: Inner[];

  constructor(inner: readonly Inner[]) {
    this.inner = [...inner];
  }

  /** A command's output was told. One that Codex cut is not the one that the script printed. */
  told(output: string): void {
    if (output.trim() === '') return;
    this.inner.push([output.length, hash53(output)]);
    if (this.inner.length > REMEMBERED) this.inner.shift();
  }

  /** What of a script's output was not told yet. */
  rest(texts: readonly string[]): string[] {
    return texts.map((said) => this.without(said)).filter((said) => said.trim() !== '');
  }

  private without(said: string): string {
    for (const [index, [length, hash]] of this.inner.entries()) {
      if (said.length < length || hash53(said.slice(0, length)) !== hash) continue;
      this.inner.splice(index, 1);
      return said.slice(length);
    }
    return said;
  }

  state(): readonly Inner[] {
    return this.inner;
  }
}
