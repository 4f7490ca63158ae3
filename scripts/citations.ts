import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** Prose of a file, and where it starts. */
export interface Passage {
  line: number
  text: string
}

/** What the documents and the folders of the project contain. */
export interface Project {
  /** Every file and folder of the repository, from its root. */
  paths: ReadonlySet<string>
  /** Numbers of the sections of docs/behaviour.md. */
  sections: ReadonlySet<string>
  /** Ids of docs/security.md, such as T21. */
  ids: ReadonlySet<string>
  /** Numbers of the decision records, such as 0003. */
  decisions: ReadonlySet<string>
  /** Scripts of package.json. */
  commands: ReadonlySet<string>
  /** The text of a file; empty when there is none. */
  textOf(path: string): string
}

const topFolders = /^(?:contract|client|server|web|e2e|bench|scripts|docs)\//
const extensions = /\.(?:tsx?|mjs|md|css)$/
/** Made by a build, by npm or by the running program. */
const generated = /^(?:(?:client|web)\/dist|data\/|node_modules\/|keepsnap-upload\.mjs$)/
/** URLs, packages, absolute and relative paths, and patterns for names. */
const notOurs = /^[./]|NNNN|[<>@:]/

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
/** The words of a comment without the asterisks of its lines. */
const wordsOf = (comment: string): string => comment.replace(/\s*\n\s*(?:\*(?!\/))?\s*/g, ' ')

/** The comments of a TypeScript or JavaScript file; adjacent line comments are one passage. */
function commentsOf(path: string, text: string): Passage[] {
  const passages: Passage[] = []
  let end = -1
  for (const comment of parseSync(path, text).comments) {
    const last = passages.at(-1)
    const isAdjacent = last && comment.type === 'Line' && text.slice(end, comment.start).trim() === ''
    if (isAdjacent) last.text += ` ${wordsOf(comment.value)}`
    else passages.push({ line: lineOf(text, comment.start), text: wordsOf(comment.value) })
    end = comment.end
  }
  return passages
}

/** What a file says to its readers: the paragraphs of a document, the comments of code. */
export function passagesOf(path: string, text: string): Passage[] {
  if (path.endsWith('.md')) {
    return [...text.matchAll(/(?:[^\n]+\n?)+/g)].map(({ 0: paragraph, index }) => ({
      line: lineOf(text, index),
      text: wordsOf(paragraph),
    }))
  }
  if (path.endsWith('.css')) {
    return [...text.matchAll(/\/\*([\s\S]*?)\*\//g)].map(({ 1: comment = '', index }) => ({
      line: lineOf(text, index),
      text: wordsOf(comment),
    }))
  }
  return commentsOf(path, text)
}

const escaped = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')

/** Whether a cited path exists: from the root or the citing file, or as the end of a path, such as `jobs.ts` or `jobs/jobs.ts`. */
function isThere(cited: string, from: string, paths: ReadonlySet<string>): boolean {
  const path = cited.replace(/\/$/, '')
  if (paths.has(path) || paths.has(join(dirname(from), path))) return true
  const pathEnd = new RegExp(`(?:^|/)${escaped(path).replaceAll('*', '[^/]*')}$`)
  return [...paths].some((one) => pathEnd.test(one))
}

/** Paths that a passage cites and that the project does not have. */
export function missingPaths(passage: string, from: string, { paths }: Pick<Project, 'paths'>): string[] {
  const words = (passage.match(/[\w@:.*<>/-]+/g) ?? []).map((word) => word.replace(/[.:]+$/, ''))
  const cited = words.filter((word) => topFolders.test(word) || extensions.test(word))
  const isOurs = (word: string): boolean => !notOurs.test(word) && !generated.test(word)
  return cited.filter((word) => isOurs(word) && !isThere(word, from, paths))
}

/** String literals that look like files of the project and do not exist. */
export const missingStrings = (code: string, { paths }: Pick<Project, 'paths'>): string[] =>
  [...code.matchAll(/(['"])([\w./-]+\.[a-z]+)\1/g)]
    .map(([, , text = '']) => text)
    .filter((text) => topFolders.test(text) && extensions.test(text) && !generated.test(text) && !paths.has(text))

/** Targets of Markdown links that the project does not have. */
export function missingLinks(text: string, from: string, { paths }: Pick<Project, 'paths'>): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target.split('#', 1)[0] ?? '')
  return targets.filter((target) => {
    if (target === '' || /^[a-z]+:/.test(target)) return false
    return !paths.has(join(dirname(from), target).replace(/\/$/, ''))
  })
}

/** Commands of npm that a passage cites and that package.json does not have. */
export const missingCommands = (passage: string, { commands }: Pick<Project, 'commands'>): string[] =>
  [...passage.matchAll(/\bnpm run ([a-z][\w-]*)/g)].map(([, name = '']) => name).filter((name) => !commands.has(name))

/** Titles of tests that a passage quotes after the file, as in "`<file>.test.ts` ('works')", and that the file does not have. */
export const missingTitles = (passage: string, { textOf }: Pick<Project, 'textOf'>): string[] =>
  [...passage.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)` \('([^']+)'\)/g)].flatMap(([, path = '', title = '']) =>
    textOf(path).includes(title) ? [] : [`${path} has no test '${title}'`],
  )

/** Sections, ids and decisions that a passage cites and that the documents do not have. */
export function missingReferences(passage: string, { sections, ids, decisions }: Project): string[] {
  const list = String.raw`((?:[TPFI]?\d{1,2})(?:(?:, and |, | and | to )[TPFI]?\d{1,2}\b)*)`
  const cited = (document: string): string[] =>
    [...passage.matchAll(new RegExp(`${document} ${list}`, 'g'))].flatMap(
      ([, found = '']) => found.match(/[TPFI]?\d{1,2}/g) ?? [],
    )
  return [
    ...cited(String.raw`behaviour\.md sections?`)
      .filter((section) => !sections.has(section))
      .map((section) => `docs/behaviour.md has no section ${section}`),
    ...cited(String.raw`security\.md`)
      .filter((id) => !ids.has(id))
      .map((id) => `docs/security.md has no ${id}`),
    ...[...passage.matchAll(/\bdecision (\d{1,4})\b/gi)]
      .map(([, number = '']) => number.padStart(4, '0'))
      .filter((number) => !decisions.has(number))
      .map((number) => `docs/decisions has no ${number}`),
  ]
}
