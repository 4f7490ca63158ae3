import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Cleanup, type Program, startProgram } from './child-processes.ts'

const run = promisify(execFile)
const deployDir = join(import.meta.dirname, '../../deploy')

/** The host name of the site in tests. Only clients that are configured for it resolve it, to loopback. */
export const siteName = 'photos.test'

/** A certificate authority of its own, and a certificate of it for `siteName`. */
export interface Certificates {
  /** The certificate of the authority. */
  ca: string
  certificate: string
  key: string
  /** A folder with certificate and key in one file, as HAProxy wants them. */
  bundles: string
}

/** Makes both with openssl. */
export async function createCertificates(dir: string): Promise<Certificates> {
  const file = (name: string): string => join(dir, name)
  const openssl = (args: string): Promise<unknown> => run('openssl', args.split(' '), { cwd: dir })
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout'
  await openssl(`req -x509 ${newKey} ca.key -out ca.pem -days 2 -subj /CN=test-ca`)
  await openssl(`req ${newKey} site.key -out site.csr -subj /CN=${siteName}`)
  writeFileSync(file('site.ext'), `subjectAltName=DNS:${siteName}\n`)
  await openssl(
    'x509 -req -in site.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out site.pem -days 2 -extfile site.ext',
  )
  const bundles = file('bundles')
  mkdirSync(bundles)
  writeFileSync(
    join(bundles, 'site.pem'),
    readFileSync(file('site.pem'), 'utf8') + readFileSync(file('site.key'), 'utf8'),
  )
  return { ca: file('ca.pem'), certificate: file('site.pem'), key: file('site.key'), bundles }
}

/** What a test changes in a proxy's sample configuration in deploy/; the rest is used verbatim. */
interface ProxySettings {
  dir: string
  certificates: Certificates
  httpPort: number
  httpsPort: number
  /** Where the program listens, `127.0.0.1:1234`. */
  upstream: string
}

/** Replaces a text that must be in a sample, everywhere in it. */
function replaceIn(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`the sample has no "${from}"`)
    return result.replaceAll(from, to)
  }, text)
}

const sample = (name: string): string => readFileSync(join(deployDir, name), 'utf8')

function startHaproxy(cleanup: Cleanup, { dir, certificates, httpPort, httpsPort, upstream }: ProxySettings): Program {
  const file = join(dir, 'haproxy.cfg')
  const config = replaceIn(sample('haproxy.cfg'), [
    ['    user haproxy\n    group haproxy\n    chroot /var/lib/haproxy\n', ''],
    ['    maxconn 20000\n', '    maxconn 1000\n'],
    ['bind :80\n', `bind 127.0.0.1:${httpPort}\n`],
    ['bind :443 ', `bind 127.0.0.1:${httpsPort} `],
    ['/etc/haproxy/certs/', certificates.bundles],
    ['server node1 127.0.0.1:3000', `server node1 ${upstream}`],
  ])
  writeFileSync(file, config)
  return startProgram(cleanup, ['haproxy', '-db', '-f', file])
}

function startNginx(cleanup: Cleanup, { dir, certificates, httpPort, httpsPort, upstream }: ProxySettings): Program {
  const file = join(dir, 'nginx.conf')
  const config = replaceIn(sample('nginx.conf'), [
    ['    listen [::]:80;\n', ''],
    ['    listen [::]:443 ssl http2;\n', ''],
    ['listen 80;', `listen 127.0.0.1:${httpPort};`],
    ['listen 443 ssl', `listen 127.0.0.1:${httpsPort} ssl`],
    ['photos.example.com', siteName],
    ['/etc/ssl/keepsnap/fullchain.pem', certificates.certificate],
    ['/etc/ssl/keepsnap/privkey.pem', certificates.key],
    ['server 127.0.0.1:3000', `server ${upstream}`],
    ['/var/log/nginx/keepsnap.log', join(dir, 'access.log')],
    ['/var/log/nginx/error.log', join(dir, 'error.log')],
  ])
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(dir, name))
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(dir, name.replace('client_', ''))};`)
    .join('\n')
  writeFileSync(
    file,
    `daemon off; pid ${dir}/pid; worker_processes 1; error_log ${dir}/start.log;
events { worker_connections 1024; }
http {
${folders}
${config}
}
`,
  )
  return startProgram(cleanup, ['nginx', '-c', file, '-e', join(dir, 'start.log')])
}

function startCaddy(cleanup: Cleanup, { dir, certificates, httpPort, httpsPort, upstream }: ProxySettings): Program {
  const file = join(dir, 'Caddyfile')
  const address = '{$KEEPSNAP_HOST:photos.example.com} {'
  const config = replaceIn(sample('Caddyfile'), [
    [address, `${address}\n\ttls ${certificates.certificate} ${certificates.key}\n\tbind 127.0.0.1`],
  ])
  // The first block of the sample has the global options.
  writeFileSync(file, config.replace(/^\{$/m, `{\n\tadmin off\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}`))
  return startProgram(cleanup, ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], {
    env: { KEEPSNAP_HOST: siteName, KEEPSNAP_ADDRESS: upstream, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
  })
}

/** How each proxy is started with its sample configuration. */
export const proxies = { caddy: startCaddy, haproxy: startHaproxy, nginx: startNginx } as const
