import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

interface SourceFile {
  /** From the project's root, with slashes. */
  path: string
  text: string
}

export function projectPaths(pattern: RegExp): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  // A deleted file is listed until its deletion is committed.
  return [...new Set(listed.split('\0'))].filter((path) => pattern.test(path) && existsSync(join(root, path)))
}

const projectFiles = (pattern: RegExp): SourceFile[] =>
  projectPaths(pattern).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** The TypeScript and JavaScript among them. */
export const sourceFiles = (pattern: RegExp): SourceFile[] =>
  projectFiles(/\.(ts|tsx|mjs)$/).filter(({ path }) => pattern.test(path))

export const isTest = (path: string): boolean => /\.(test|spec|record)\.tsx?$|\/test\//.test(path)

export function reportProblems(name: string, problems: readonly string[]): void {
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  if (problems.length) process.exitCode = 1
  else process.stdout.write(`${name}: ok\n`)
}
