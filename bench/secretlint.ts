import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';

// It keeps a mark of every call and looks at all of them with each.
secretLintProfiler.setEnabled(false);

/** Without it the word `secretlint-disable` in a text would switch the others off. */
const COMMENTS = '@secretlint/secretlint-rule-filter-comments';

/** How many secrets the rules of secretlint's recommended preset find in a text. */
export async function secretlint(content: string): Promise<number> {
  const { messages } = await lintSource({
    source: { content, filePath: 'text.txt', ext: '.txt', contentType: 'text' },
    options: {
      noPhysicFilePath: true,
      config: {
        rules: [
          {
            id: '@secretlint/secretlint-rule-preset-recommend',
            rule: creator,
            rules: [{ id: COMMENTS, disabled: true }],
          },
        ],
      },
    },
  });
  return messages.length;
}
