import { describe, expect, it } from 'vitest';
import { type ProjectHours, projectNames, proposeFamilies } from '../../src/projects/families.ts';

const HOUR = 3_600_000;
/** A session of a project from one hour to another. */
const worked = (project: string, from: number, to = from, remote?: string): ProjectHours => ({
  project,
  started: from * HOUR,
  ended: to * HOUR,
  ...(remote !== undefined && { remote }),
});

describe('a name', () => {
  const families = { Harbour: ['pier', 'quay'] };

  it('means the projects of the family of that name too', () => {
    expect(projectNames('harbour', families)).toEqual(['harbour', 'pier', 'quay']);
    expect(projectNames('pier', families)).toEqual(['pier']);
  });
});

describe('families that the history shows', () => {
  it('are projects whose names begin alike, worked on in the same hours', () => {
    const sessions = [worked('harbour-api', 1, 3), worked('harbour_web', 2, 5), worked('lamp', 2)];
    expect(proposeFamilies(sessions)).toEqual([
      { name: 'harbour', projects: ['harbour-api', 'harbour_web'], hoursTogether: 2 },
    ]);
  });

  it('are none where the names alone are alike, or the hours alone', () => {
    expect(proposeFamilies([worked('harbour-api', 1), worked('harbour-web', 9)])).toEqual([]);
    expect(proposeFamilies([worked('lamp', 1), worked('rope', 1)])).toEqual([]);
    expect(proposeFamilies([worked('my-lamp', 1), worked('my-rope', 1)])).toEqual([]);
  });

  it('are projects of one owner that are mostly worked on together', () => {
    const of = (name: string) => `git@github.com:harbour/${name}.git`;
    const sessions = [
      worked('pier', 1, 4, of('pier')),
      worked('quay', 3, 4, of('quay')),
      worked('lamp', 4, 9, of('lamp')),
      worked('quay', 20, 21, of('quay')),
    ];
    expect(proposeFamilies(sessions)).toEqual([{ name: 'harbour', projects: ['pier', 'quay'], hoursTogether: 2 }]);
  });

  it('are not proposed where the user has named them', () => {
    const sessions = [worked('harbour-api', 1), worked('harbour-web', 1), worked('harbour-old', 1)];
    expect(proposeFamilies(sessions, { mine: ['Harbour-API'] })).toEqual([
      { name: 'harbour', projects: ['harbour-old', 'harbour-web'], hoursTogether: 1 },
    ]);
  });

  it('do not count a session that was left open for days as work', () => {
    expect(proposeFamilies([worked('harbour-api', 0, 200), worked('harbour-web', 100)])).toEqual([]);
  });

  it('are the same in whatever order the sessions come, the most shared first', () => {
    const sessions = [
      worked('a-lib-x', 1),
      worked('tide-a', 1, 3),
      worked('tide-b', 1, 3),
      worked('rope-a', 2),
      worked('rope-b', 2),
    ];
    const proposed = proposeFamilies(sessions);
    expect(proposed.map(({ name }) => name)).toEqual(['tide', 'rope']);
    expect(proposeFamilies([...sessions].reverse())).toEqual(proposed);
  });
});
