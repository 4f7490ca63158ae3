import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(dirname(import.meta.dirname))

/** The newest commit that is in use. Set KEEPSNAP_OLD_COMMIT to test with another one. */
export const lastRelease = process.env['KEEPSNAP_OLD_COMMIT'] ?? 'a615e80'

/** Whether the history of the project is here; an installation from an archive has none. */
export const hasHistory = (commit: string): boolean =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status === 0

/** Writes the project as it was at a commit into a folder, with the packages of today and its own web app. */
export function checkOutProject(commit: string, folder: string): void {
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 512 * 1024 * 1024 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const [packages, linked] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(linked)
  // Relative links to the parts of the project: of the copy.
  cpSync(join(packages, '@keepsnap'), join(linked, '@keepsnap'), { recursive: true, verbatimSymlinks: true })
  for (const name of readdirSync(packages).filter((one) => one !== '@keepsnap' && one !== '.cache'))
    symlinkSync(join(packages, name), join(linked, name))
  const build = "import('./scripts/web-build.mjs').then((module) => module.buildWeb(process.cwd()))"
  execFileSync(process.execPath, ['-e', build], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}
