import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, scratchFolder } from '../../test/child-processes.ts'
import { type Certificates, createCertificates, proxies, siteName } from '../../test/proxies.ts'

const run = promisify(execFile)
const cleanups: (() => void | Promise<void>)[] = []
const cleanup = (work: () => void | Promise<void>): void => void cleanups.unshift(work)
let certificates: Certificates

beforeAll(async () => {
  certificates = await createCertificates(scratchFolder(cleanup))
})
afterAll(async () => {
  for (const work of cleanups) await work()
})

test.each(['caddy', 'haproxy', 'nginx'] as const)(
  'while no node is ready, %s sends guests a page that loads again, and programs the status',
  async (name) => {
    const [httpPort, httpsPort, closed] = [await freePort(), await freePort(), await freePort()]
    const dir = scratchFolder(cleanup)
    proxies[name](cleanup, { dir, certificates, httpPort, httpsPort, upstream: `127.0.0.1:${closed}` })
    const answer = async (accept: string): Promise<string> => {
      const site = `${siteName}:${httpsPort}`
      const flags = ['--silent', '--include', '--cacert', certificates.ca, '--resolve', `${site}:127.0.0.1`]
      const { stdout } = await run('curl', [...flags, '--header', `accept: ${accept}`, `https://${site}/d/somecode`])
      return stdout
    }
    const pageOrFailure = (): Promise<string> => answer('text/html,*/*;q=0.8').catch(String)
    await expect
      .poll(pageOrFailure, { timeout: 20_000 })
      .toMatch(/^HTTP\/2 503 [^]*retry-after: 5[^]*http-equiv="refresh"/i)
    expect(await answer('application/json')).toMatch(/^HTTP\/2 503 /)
  },
)
