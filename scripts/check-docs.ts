/**
 * Documents and citations: cited files, tests, commands, sections and ids exist, decision records have date and status, and
 * nothing uses terms that only this project knows.
 */
import {
  missingCommands,
  missingLinks,
  missingPaths,
  missingReferences,
  missingStrings,
  missingTitles,
  passagesOf,
  type Project,
} from './citations.ts'
import { privateTermsIn } from './plain-words.ts'
import { isTest, projectFiles, projectPaths, reportProblems, type SourceFile } from './source-files.ts'

const checked = /\.(?:tsx?|mjs|css|md)$/
/** Records of the past, which keep the words and paths of their time. */
const isHistory = (path: string): boolean => /^bench\/results\/|^server\/test\/old-data\//.test(path)
/** Names of earlier versions stand here because data with those names exists. */
const quotesOldNames = (path: string): boolean =>
  isHistory(path) ||
  /^server\/db\/(?:migrations|schema)|^scripts\/(?:(?:seed|dump)-old-data|plain-words)|^CHANGELOG\.md$/.test(path)
/** Translations: words of another language may look like English ones. */
const isTranslation = (path: string): boolean =>
  /^web\/(messages\/(?!en\/)[a-z]{2}\/|features\/legal\/[\w-]+\/[\w-]+-nl\.ts$)/.test(path)

const files = projectFiles(checked)
const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? ''

// npm itself refuses a package.json of another form.
const { scripts } = JSON.parse(projectFiles(/^package\.json$/)[0]?.text ?? '') as { scripts: Record<string, string> }

const withFolders = (path: string): string[] => path.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'))

const project: Project = {
  paths: new Set(projectPaths(/./).flatMap(withFolders)),
  sections: new Set([...textOf('docs/behaviour.md').matchAll(/^## (\d+)\. /gm)].map(([, number = '']) => number)),
  ids: new Set(textOf('docs/security.md').match(/\b[TPFI]\d{1,2}\b/g)),
  decisions: new Set(files.flatMap(({ path }) => /^docs\/decisions\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1] ?? [])),
  commands: new Set(Object.keys(scripts)),
  textOf,
}

function citationProblems({ path, text }: SourceFile): string[] {
  if (isHistory(path) || path === 'server/db/schema.ts') return []
  const links = path.endsWith('.md') ? missingLinks(text, path, project) : []
  // Tests use paths that do not exist as data.
  const strings = path.endsWith('.md') || isTest(path) ? [] : missingStrings(text, project)
  return [
    ...links.map((target) => `${path}: broken link to ${target}`),
    ...strings.map((cited) => `${path}: ${cited} does not exist`),
    ...passagesOf(path, text).flatMap((passage) => [
      ...missingPaths(passage.text, path, project).map((cited) => `${path}:${passage.line}: ${cited} does not exist`),
      ...(quotesOldNames(path) ? [] : missingCommands(passage.text, project)).map(
        (name) => `${path}:${passage.line}: there is no npm run ${name}`,
      ),
      ...[...missingReferences(passage.text, project), ...missingTitles(passage.text, project)].map(
        (problem) => `${path}:${passage.line}: ${problem}`,
      ),
    ]),
  ]
}

function recordProblems({ path, text }: SourceFile): string[] {
  if (!path.startsWith('docs/decisions/')) return []
  const head = text.split('\n').slice(0, 6).join('\n')
  return [
    ...(/^# \S/.test(head) ? [] : [`${path}: no title in the first line`]),
    ...(/^- Date: \d{4}-\d{2}-\d{2}\b/m.test(head) ? [] : [`${path}: no "- Date: YYYY-MM-DD" in the first six lines`]),
    ...(/^- Status: (?:accepted|superseded by \d{4}|withdrawn)/m.test(head)
      ? []
      : [`${path}: no "- Status: ..." in the first six lines`]),
  ]
}

const wordProblems = ({ path, text }: SourceFile): string[] =>
  quotesOldNames(path) || isTranslation(path)
    ? []
    : privateTermsIn(text).map(
        ({ text: found, instead, lines }) =>
          `${path}:${lines[0]}: "${found}" (${lines.length} ${lines.length === 1 ? 'line' : 'lines'}): use ${instead} instead`,
      )

reportProblems(
  'docs',
  files.flatMap((file) => [...citationProblems(file), ...recordProblems(file), ...wordProblems(file)]),
)
