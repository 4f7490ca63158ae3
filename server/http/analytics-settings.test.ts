import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig, type Env } from '../config.ts'

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
    [{ ...matomo, ANALYTICS_HOST: '' }, 'ANALYTICS_PROVIDER is set but ANALYTICS_HOST is not; set all three or none.'],
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
