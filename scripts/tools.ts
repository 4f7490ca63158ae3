import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Paths of programs and files that npm cannot bring, and the Debian package of each. */
export type Tools = Record<string, string>

/** For `npm test`. */
export const testTools: Tools = {
  '/usr/bin/chromium-headless-shell': 'chromium-headless-shell',
  '/usr/bin/zbarimg': 'zbar-tools',
  '/usr/bin/pdftoppm': 'poppler-utils',
  '/usr/bin/curl': 'curl',
  '/usr/bin/openssl': 'openssl',
  '/usr/bin/strace': 'strace',
  '/usr/bin/radosgw': 'radosgw',
  '/usr/bin/ceph-mon': 'ceph-mon',
  '/usr/bin/ceph-osd': 'ceph-osd',
}

/** Debian starts no service while this program exits with 101. */
const startPolicy = '/usr/sbin/policy-rc.d'

/** Installs what is missing when this is Debian and we are root; otherwise says what to install and stops. */
export function installTools(tools: Tools): void {
  const missing = [...new Set(Object.keys(tools).flatMap((path) => (existsSync(path) ? [] : [tools[path] ?? ''])))]
  if (missing.length === 0) return
  const names = missing.join(' ')
  if (process.geteuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    process.stderr.write(`The tests need ${names}. Install them first, on Debian with: sudo apt-get install ${names}\n`)
    process.exit(1)
  }
  process.stdout.write(`Installing ${names} ...\n`)
  const isOurs = !existsSync(startPolicy)
  if (isOurs) writeFileSync(startPolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  const apt = (...args: string[]): boolean =>
    spawnSync('apt-get', [...args, '-qq'], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    }).status === 0
  const install = (): boolean => apt('install', '-y', '--no-install-recommends', ...missing)
  try {
    // Otherwise it would listen on all interfaces from the next start of the machine on.
    if (missing.includes('postfix'))
      execFileSync('debconf-set-selections', { input: 'postfix postfix/main_mailer_type select No configuration\n' })
    if (!install() && !(apt('update') && install())) throw new Error(`apt-get could not install ${names}`)
  } finally {
    if (isOurs) rmSync(startPolicy)
  }
}

/** Installs the packages of a folder that has its own package-lock.json, unless they are there. */
export function installPackages(folder: string): void {
  const lockFile = join(folder, 'package-lock.json')
  const installed = join(folder, 'node_modules', '.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockFile).mtimeMs) return
  process.stdout.write(`Installing the packages of ${folder} ...\n`)
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
}
