import { describe, expect, test } from 'vitest'
import { isCodingAccepted, isGzipAccepted, languageOf } from './request-headers.ts'

describe('accepted encoding', () => {
  test.each<[string | undefined, boolean]>([
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['br, GZIP', true],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
    ['gzip;q=0', false],
    ['gzip; q=0.000, br', false],
    ['*', true],
    ['*;q=0', false],
    ['gzip;q=0, *', false],
    ['identity', false],
    ['gzipped', false],
    ['gzip;q=wrong', false],
  ])('Accept-Encoding %s: gzip %s', (header, accepted) => {
    expect(isGzipAccepted(header)).toBe(accepted)
  })

  test.each<[string, boolean]>([
    ['gzip, deflate, br, zstd', true],
    ['br;q=0, gzip', false],
    ['br;q=0, *', false],
    ['x-brotli, gzip', false],
  ])('Accept-Encoding %s: Brotli %s', (header, accepted) => {
    expect(isCodingAccepted(header, 'br')).toBe(accepted)
  })
})

describe('language', () => {
  const chosen = ({ url = '/', cookie, accept }: { url?: string; cookie?: string; accept?: string }): string =>
    languageOf({ url, headers: { cookie, 'accept-language': accept } })

  test.each([
    // What browsers send.
    ['nl-BE,nl;q=0.9,en-US;q=0.8,en;q=0.7', 'nl'],
    ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'fr'],
    ['de', 'de'],
    ['DE-at', 'de'],
    ['en-GB,en;q=0.9,nl;q=0.8', 'en'],
    // The first of the preferred languages that exists.
    ['pt-BR,pt;q=0.9,fr;q=0.8,en;q=0.7', 'fr'],
    // By quality, not by place; by place where qualities are equal.
    ['en;q=0.3,nl;q=0.9', 'nl'],
    ['en;q=0.8,de;q=0.8,nl;q=0.8', 'en'],
    ['fr; q=0.500 , de;Q=0.501', 'de'],
    // A quality of 0 means: not this one.
    ['nl;q=0,fr;q=0.1', 'fr'],
    ['nl;q=0', 'en'],
    // Nothing that exists, or nothing that can be read.
    ['', 'en'],
    ['*', 'en'],
    ['ja,zh-Hans;q=0.9', 'en'],
    ['nl;q=2,fr;q=banana,de;q=-1', 'en'],
    [';;;,,,=,q=1', 'en'],
    ['nlx,french', 'en'],
    [`${'xx,'.repeat(60)}nl`, 'en'],
  ])('Accept-Language: %s is answered in %s', (accept, language) => {
    expect(chosen({ accept })).toBe(language)
  })

  test.each([
    ['the cookie wins over the browser', { cookie: 'language=fr', accept: 'nl' }, 'fr'],
    ['among other cookies', { cookie: 'a=b; language=de; c=d', accept: 'nl' }, 'de'],
    ['an unknown language in the cookie is ignored', { cookie: 'language=xx', accept: 'nl' }, 'nl'],
    ['a cookie of another name is ignored', { cookie: 'xlanguage=fr; languages=de', accept: 'nl' }, 'nl'],
    ['of two cookies, the first that exists counts', { cookie: 'language=xx; language=fr; language=de' }, 'fr'],
    ['?lang= wins over both', { url: '/pricing?lang=de', cookie: 'language=fr', accept: 'nl' }, 'de'],
    ['among other parameters', { url: '/d/x?download=1&lang=nl' }, 'nl'],
    ['an unknown ?lang= is ignored', { url: '/?lang=xx', cookie: 'language=fr', accept: 'nl' }, 'fr'],
    ['an empty ?lang= is ignored', { url: '/?lang=', accept: 'nl' }, 'nl'],
    ['lang in the path is no parameter', { url: '/lang=de', accept: 'nl' }, 'nl'],
    ['nothing said: English', {}, 'en'],
  ] as const)('%s', (_, request, language) => {
    expect(chosen(request)).toBe(language)
  })
})
