import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Paths of programs that npm cannot bring, and the Debian package of each. */
type Tools = Record<string, string>

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

/** For `npm run record -- nodes`. */
export const balancerTools: Tools = { '/usr/sbin/haproxy': 'haproxy' }

/** For `npm run record -- screens`: a font with the metrics of Arial, which the fallback of the web font is adjusted to. */
export const fontTools: Tools = {
  '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf': 'fonts-liberation',
}

/** For `npm run record -- engines`. */
export const engineTools: Tools = {
  '/usr/bin/firefox-esr': 'firefox-esr',
  '/usr/bin/WebKitWebDriver': 'webkit2gtk-driver',
  '/usr/bin/Xvfb': 'xvfb',
  '/usr/bin/zbarimg': 'zbar-tools',
}

/** For `npm run record -- alerts`. */
export const alertTools: Tools = { '/usr/bin/prometheus': 'prometheus', '/usr/bin/promtool': 'prometheus' }

/** For `npm run record -- backup`. */
export const postgres15Tools: Tools = { '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15' }

/** For `npm run record -- proxies`. */
export const proxyTools: Tools = {
  '/usr/bin/caddy': 'caddy',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/sbin/nginx': 'nginx-light',
  '/usr/bin/curl': 'curl',
  '/usr/bin/openssl': 'openssl',
}

/** Installs what is missing when this is Debian and we are root; otherwise says what to install and stops. */
export function installTools(tools: Tools): void {
  const missing = Object.entries(tools)
    .filter(([path]) => !existsSync(path))
    .map(([, name]) => name)
  if (missing.length === 0) return
  const isRoot = process.geteuid?.() === 0
  if (!isRoot || !existsSync('/usr/bin/apt-get')) {
    process.stderr.write(
      `The tests need ${missing.join(' and ')}. Install them first, on Debian with: sudo apt-get install ${missing.join(' ')}\n`,
    )
    process.exit(1)
  }
  process.stdout.write(`Installing ${missing.join(' and ')} ...\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = (): boolean =>
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    }).status === 0
  if (install()) return
  execFileSync('apt-get', ['update', '-qq'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (!install()) throw new Error(`apt-get could not install ${missing.join(' ')}`)
}

/** Installs the packages of a folder that has its own package-lock.json, unless they are there. */
export function installPackages(folder: string): void {
  const lockFile = join(folder, 'package-lock.json')
  const installed = join(folder, 'node_modules', '.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockFile).mtimeMs) return
  process.stdout.write(`Installing the packages of ${folder} ...\n`)
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
}
