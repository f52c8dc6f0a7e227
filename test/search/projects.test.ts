import { describe, expect, it } from 'vitest';
import { listSessions } from '../../src/search/answers/sessions.ts';
import { parseQuery } from '../../src/search/query/parse.ts';
import { ClaudeHome } from '../support/claude-home.ts';
import { Script, uuid } from '../support/claude-records.ts';
import { Portolan } from '../support/portolan.ts';

describe('a project’s name in a query', () => {
  it('finds all projects of that name, and each by what tells it from the others', async () => {
    const home = new ClaudeHome();
    for (const cwd of ['/home/dev/a/web', '/home/dev/b/web', '/home/dev/b/webs', '/home/dev']) {
      const script = new Script({ cwd, sessionId: uuid(cwd) }, cwd);
      home.write([script.user('Paint.'), script.answer('Painted.')], uuid(cwd));
    }
    const portolan = new Portolan(home.env());
    await portolan.index();
    const found = (query: string) =>
      listSessions(portolan.read(), parseQuery(query, 0), { all: true, gone: false, limit: 9, offset: 0 })
        .rows.map((session) => session.project)
        .sort();
    expect(found('project:web')).toEqual(['a/web', 'b/web']);
    expect(found('project:B/Web')).toEqual(['b/web']);
    expect(found('project:webs')).toEqual(['webs']);
    expect(found('-project:web')).toEqual(['webs', undefined]);
  });
});
