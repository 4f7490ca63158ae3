import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError, type Env, readConfig } from './config.ts'
import { scratchFolder, startProgram } from './test/child-processes.ts'

describe('config', () => {
  const machine = { lanAddress: '192.168.1.20', cwd: '/srv/keepsnap' }
  const readSettings = (env: Env) => readConfig(env, machine)

  /** The settings of .env.example; with `all`, those that are commented out as well, where they show a value. */
  function exampleSettings(all: boolean): Env {
    const text = readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8')
    const pattern = all ? /^#?([A-Z][A-Z0-9_]*)=(.+)$/gm : /^([A-Z][A-Z0-9_]*)=(.*)$/gm
    return Object.fromEntries([...text.matchAll(pattern)].map(([, name, value]) => [name, value]))
  }

  describe('readConfig', () => {
    test('has a default for every setting', () => {
      expect(readSettings({})).toMatchObject({
        port: 3000,
        publicUrl: 'http://192.168.1.20:3000',
        publicUrlIsDefault: true,
        dataDir: '/srv/keepsnap/data',
        storage: { kind: 'disk' },
        payments: { kind: 'demo' },
      })
    })

    test('uses localhost on a machine without a network', () => {
      expect(readConfig({ PORT: '8080' }, { ...machine, lanAddress: undefined }).publicUrl).toBe(
        'http://localhost:8080',
      )
    })

    test.each(['127.0.0.1', '127.0.1.1', 'localhost', '::1'])('uses localhost when it listens on %s only', (HOST) => {
      expect(readSettings({ HOST }).publicUrl).toBe('http://localhost:3000')
      expect(readSettings({ HOST, PUBLIC_URL: 'https://photos.example.com' }).publicUrl).toBe(
        'https://photos.example.com',
      )
    })

    test.each(['0.0.0.0', '::', '192.168.1.20', '127.example.com'])('uses the address in the network on %s', (HOST) => {
      expect(readSettings({ HOST }).publicUrl).toBe('http://192.168.1.20:3000')
    })

    test('.env.example contains the defaults', () => {
      const { dataDir, ...shown } = readSettings(exampleSettings(false))
      const { dataDir: _, ...defaults } = readSettings({})
      expect(shown).toEqual(defaults)
      expect(dataDir).toBe('./data')
    })

    test('.env.example contains every setting, with valid examples', () => {
      const secrets = {
        SECRET_KEY: 'x'.repeat(32),
        S3_ACCESS_KEY_ID: 'id',
        S3_SECRET_ACCESS_KEY: 'key',
        STRIPE_SECRET_KEY: 'sk_test_1',
        STRIPE_WEBHOOK_SECRET: 'whsec_1',
      }
      expect(() => readSettings({ ...exampleSettings(true), ...secrets })).not.toThrow()
      const named = readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8')
      const source = [
        'config.ts',
        'ports/mail/mail-settings.ts',
        'ports/payments/payment-settings.ts',
        'ports/storage/storage.ts',
        'ports/webhooks.ts',
      ]
        .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
        .join('')
      const names = [...source.matchAll(/read(?:Setting|List|Integer|Choice|Email)\('([A-Z][A-Z0-9_]+)'/g)].map(
        ([, name]) => name,
      )
      expect(names.filter((name) => !new RegExp(`^#?${name}=`, 'm').test(named))).toEqual(['KEEPSNAP_PARENT'])
    })

    test('writes hosts of webhooks as URLs do', () => {
      const { webhookAllowedHosts } = readSettings({
        WEBHOOK_ALLOWED_HOSTS: 'Booth.LAN., 192.168.1.20,fd00:0:0::1, büro.lan',
      })
      expect(webhookAllowedHosts).toEqual(['booth.lan', '192.168.1.20', 'fd00::1', 'xn--bro-hoa.lan'])
    })

    test.each([
      [{ PORT: '70000' }, 'PORT is "70000"'],
      [{ PORT: '3000x' }, 'PORT is "3000x"'],
      [{ PUBLIC_URL: 'photos.example.com' }, 'PUBLIC_URL has "photos.example.com"'],
      [{ PUBLIC_URL: 'https://photos.example.com/app' }, 'without a path'],
      [{ ALLOWED_ORIGINS: 'https://a.example, *' }, 'ALLOWED_ORIGINS has "*"'],
      [{ DATABASE_URL: 'mysql://x', SECRET_KEY: 'x'.repeat(32) }, 'DATABASE_URL is not a postgres:// URL'],
      [{ DATABASE_URL: 'postgres://localhost/x' }, 'SECRET_KEY must be set when DATABASE_URL is'],
      [{ SECRET_KEY: 'short' }, 'SECRET_KEY is too short'],
      [{ SECRET_KEYS_ACCEPTED: 'x'.repeat(32) }, 'SECRET_KEYS_ACCEPTED is set but SECRET_KEY is not'],
      [
        { SECRET_KEY: 'x'.repeat(32), SECRET_KEYS_ACCEPTED: 'short' },
        'SECRET_KEYS_ACCEPTED has a key of under 32 characters',
      ],
      [
        { S3_BUCKET: 'photos' },
        'S3_BUCKET is set but S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY are not',
      ],
      [{ S3_DOWNLOADS: 'yes' }, 'S3_DOWNLOADS is "yes"; give one of redirect, proxy.'],
      [{ S3_ENDPOINT: 'https://' }, 'S3_ENDPOINT is "https://"; give its URL'],
      [{ TRUSTED_PROXIES: '1' }, 'not a number of hops'],
      [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES has "10.0.0.0/33"'],
      [{ WEBHOOK_ALLOWED_HOSTS: 'booth.lan, http://x.lan' }, 'WEBHOOK_ALLOWED_HOSTS has "http://x.lan"'],
      [{ WEBHOOK_ALLOWED_HOSTS: 'booth.lan:8080' }, 'WEBHOOK_ALLOWED_HOSTS has "booth.lan:8080"'],
      [{ WEBHOOK_ALLOWED_HOSTS: '192.168.1.0/24' }, 'WEBHOOK_ALLOWED_HOSTS has "192.168.1.0/24"'],
      [{ MAX_MEGAPIXELS: '0' }, 'MAX_MEGAPIXELS is "0"'],
      [{ WORKERS: '1.5' }, 'WORKERS is "1.5"'],
      [{ OUTBOX_MAX_MB: '9' }, 'OUTBOX_MAX_MB is "9"; give a whole number from 10'],
      [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud"; give one of'],
    ])('%o is refused with a message that names the variable and the fix', (env, line) => {
      expect(() => readSettings(env)).toThrow(ConfigError)
      expect(() => readSettings(env)).toThrow(line)
    })

    test('reports all problems at once', () => {
      expect(() => readSettings({ PORT: 'x', WORKERS: 'y' })).toThrow(/PORT[\s\S]*WORKERS/)
    })

    test('removes the trailing slash of PUBLIC_URL', () => {
      expect(readSettings({ PUBLIC_URL: 'https://photos.example.com/' }).publicUrl).toBe('https://photos.example.com')
    })
  })

  test('refuses a METRICS_TOKEN that could be guessed or cannot be sent, and METRICS_PORT without it', () => {
    const problemsOf = (env: Env): string[] => {
      try {
        readConfig(env, machine)
        return []
      } catch (error) {
        return (error as ConfigError).problems // what readConfig throws
      }
    }
    const token = 'x'.repeat(32)
    expect(problemsOf({ METRICS_TOKEN: token, METRICS_PORT: '9464' })).toEqual([])
    for (const bad of ['x'.repeat(31), `${token} y`, `${token}ü`, `${token}"`])
      expect(problemsOf({ METRICS_TOKEN: bad })).toEqual([expect.stringContaining('METRICS_TOKEN')])
    expect(problemsOf({ METRICS_PORT: '9464' })).toEqual([expect.stringContaining('METRICS_PORT')])
  })
})

describe('analytics settings', () => {
  const read = (env: Env) => readConfig(env, { lanAddress: undefined, cwd: '/srv/keepsnap' }).analytics

  function problemsOf(env: Env): string[] {
    try {
      read(env)
      return []
    } catch (error) {
      return error instanceof ConfigError ? error.problems : [String(error)]
    }
  }

  const matomo = { ANALYTICS_PROVIDER: 'matomo', ANALYTICS_HOST: 'https://stats.example.com', ANALYTICS_SITE: '3' }

  describe('the settings of analytics', () => {
    test('are off by default, and when they are empty', () => {
      expect(read({})).toBeNull()
      expect(read({ ANALYTICS_PROVIDER: '', ANALYTICS_HOST: ' ', ANALYTICS_SITE: '' })).toBeNull()
    })

    test.each([
      [matomo, { provider: 'matomo', host: 'https://stats.example.com', site: '3' }],
      [
        {
          ANALYTICS_PROVIDER: 'plausible',
          ANALYTICS_HOST: 'https://Plausible.IO/',
          ANALYTICS_SITE: 'photos.example.com',
        },
        { provider: 'plausible', host: 'https://plausible.io', site: 'photos.example.com' },
      ],
      [
        { ...matomo, ANALYTICS_HOST: 'http://127.0.0.1:8080' },
        { provider: 'matomo', host: 'http://127.0.0.1:8080', site: '3' },
      ],
      [
        { ...matomo, ANALYTICS_HOST: 'http://[::1]:8080' },
        { provider: 'matomo', host: 'http://[::1]:8080', site: '3' },
      ],
    ])('%j', (env, analytics) => expect(read(env)).toEqual(analytics))

    test.each([
      [
        { ANALYTICS_SITE: '3' },
        'ANALYTICS_SITE is set but ANALYTICS_PROVIDER, ANALYTICS_HOST are not; set all three or none.',
      ],
      [
        { ...matomo, ANALYTICS_HOST: '' },
        'ANALYTICS_PROVIDER is set but ANALYTICS_HOST is not; set all three or none.',
      ],
      [{ ...matomo, ANALYTICS_PROVIDER: 'google' }, 'ANALYTICS_PROVIDER is "google"; give one of matomo, plausible.'],
      [{ ...matomo, ANALYTICS_HOST: 'stats.example.com' }, 'ANALYTICS_HOST has "stats.example.com"; give an origin'],
      [{ ...matomo, ANALYTICS_HOST: 'https://example.com/matomo' }, 'without a path'],
      [{ ...matomo, ANALYTICS_HOST: 'https://user:secret@example.com' }, 'ANALYTICS_HOST has'],
      [{ ...matomo, ANALYTICS_HOST: 'javascript:alert(1)' }, 'ANALYTICS_HOST has'],
      [{ ...matomo, ANALYTICS_HOST: 'http://stats.example.com' }, 'http:// is for this machine only'],
      [{ ...matomo, ANALYTICS_HOST: 'http://127.example.com' }, 'http:// is for this machine only'],
      [{ ...matomo, ANALYTICS_HOST: 'http://192.168.1.20' }, 'http:// is for this machine only'],
      [{ ...matomo, ANALYTICS_HOST: 'https://*.example.com' }, 'give one host'],
      [{ ...matomo, ANALYTICS_HOST: 'https://*' }, 'give one host'],
      [{ ...matomo, ANALYTICS_HOST: 'https://a.example;script-src' }, 'give one host'],
      [{ ...matomo, ANALYTICS_HOST: "https://a'b.example" }, 'give one host'],
      [{ ...matomo, ANALYTICS_HOST: 'https://a.example,b.example' }, 'give one host'],
      [{ ...matomo, ANALYTICS_SITE: 'photos.example.com' }, "give the number of the site in Matomo's settings"],
      [{ ...matomo, ANALYTICS_SITE: '0' }, 'ANALYTICS_SITE is "0"'],
      [
        { ...matomo, ANALYTICS_PROVIDER: 'plausible', ANALYTICS_SITE: 'https://x.example' },
        'give the domain of the site',
      ],
      [{ ...matomo, ANALYTICS_PROVIDER: 'plausible', ANALYTICS_SITE: 'x".example' }, 'give the domain of the site'],
    ])('%j is one problem', (env, part) => {
      const problems = problemsOf(env)
      expect(problems).toEqual([expect.stringContaining(part)])
      expect(problems[0]).toMatch(/^ANALYTICS_\w+ /)
      expect(problems[0]).not.toContain('\n')
    })
  })
})

describe('env files', () => {
  const settings = 'PUBLIC_URL=https://photos.example.com\r\nPORT=4103\r\n'
  const utf16 = Buffer.from(`\uFEFF${settings}`, 'utf16le')

  async function environmentOf(content: string | Buffer): Promise<string> {
    const folder = scratchFolder(onTestFinished)
    writeFileSync(join(folder, '.env'), content)
    const script = `
    import { readMarkedEnvFiles } from ${JSON.stringify(join(import.meta.dirname, 'config.ts'))}
    try { readMarkedEnvFiles(process.env, process.execArgv) } catch (error) { console.log(error.message) }
    const { PUBLIC_URL, PORT } = process.env
    console.log(JSON.stringify({ PUBLIC_URL, PORT, others: Object.keys(process.env).filter((name) => !/^\\w+$/.test(name)) }))`
    const program = startProgram(
      onTestFinished,
      [process.execPath, '--env-file=.env', '--input-type=module', '--eval', script],
      { cwd: folder, env: { PORT: '3000' } },
    )
    expect(await program.ended).toBe(0)
    return program.lines.join('\n')
  }

  // What is set in the environment wins, as without the mark.
  const readRight = '{"PUBLIC_URL":"https://photos.example.com","PORT":"3000","others":[]}'

  test.each([
    ['UTF-8 with a byte order mark', `\uFEFF${settings}`, readRight],
    ['UTF-16 of Windows', utf16, readRight],
    ['UTF-16 in the other order', Buffer.from(utf16).swap16(), readRight],
    [
      'UTF-16 without a mark',
      utf16.subarray(2),
      expect.stringMatching(/^The file \.env is not text in UTF-8, .*Save it again/),
    ],
  ])('a file of settings in %s is read, or refused by its name', async (_, content, seen) => {
    expect(await environmentOf(content)).toEqual(seen)
  })
})
