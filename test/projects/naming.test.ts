import { describe, expect, it } from 'vitest';
import { namesOf } from '../../src/projects/naming.ts';

const named = (...paths: string[]) => [...namesOf(paths.map((key) => ({ key, names: key.split('/') }))).values()];

describe('names of projects', () => {
  it('are their last names where those tell them apart', () => {
    expect(named('~/a/pier', '~/b/mole')).toEqual(['pier', 'mole']);
  });

  it('have as much of what stands before as tells them apart, and no more', () => {
    expect(named('~/a/web', '~/b/web', '~/b/mole')).toEqual(['a/web', 'b/web', 'mole']);
    expect(named('x/src/web', 'y/src/web', 'lib/web')).toEqual(['x/src/web', 'y/src/web', 'lib/web']);
  });

  it('are told apart without regard to case', () => {
    expect(named('~/a/Web', '~/b/web')).toEqual(['a/Web', 'b/web']);
  });

  it('end where there is nothing more to say', () => {
    expect(named('web', '~/web')).toEqual(['web', '~/web']);
  });
});
