import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

export interface SourceFile {
  /** From the project's root, with slashes. */
  path: string
  text: string
}

/** The TypeScript of the project: what git tracks or would track. */
export function sourceFiles(pattern: RegExp): SourceFile[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  return [...new Set(listed.split('\0'))]
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && pattern.test(path))
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(join(root, path), 'utf8') }]
      } catch {
        return [] // deleted, not yet committed
      }
    })
}

export const isTest = (path: string): boolean => /\.(test|spec)\.tsx?$|\/test\//.test(path)

/** Prints complaints and sets the exit code; says that all is well otherwise. */
export function report(name: string, complaints: readonly string[]): void {
  for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
  if (complaints.length) process.exitCode = 1
  else process.stdout.write(`${name}: fine\n`)
}
