import { expect, test } from 'vitest'
import { readOptions, UsageError } from './options.ts'

const key = `ksnap_${'a'.repeat(49)}`
const env = { KEEPSNAP_URL: 'https://photos.example/', KEEPSNAP_API_KEY: key }

test('options come from the environment, and flags win', () => {
  expect(readOptions(['photos', 'a.jpg'], env)).toEqual({
    url: 'https://photos.example',
    apiKey: key,
    paths: ['photos', 'a.jpg'],
    event: undefined,
    once: false,
    recursive: false,
    qr: true,
    stateFile: undefined,
  })
  const flags = [
    '--url',
    'http://booth.test:3000/keepsnap/',
    '--once',
    '-r',
    '--no-qr',
    '--state',
    's.json',
    '--event',
    'none',
    'photos',
  ]
  expect(readOptions([...flags, '--key', `${key} `], {})).toEqual({
    url: 'http://booth.test:3000/keepsnap',
    apiKey: key,
    paths: ['photos'],
    event: 'none',
    once: true,
    recursive: true,
    qr: false,
    stateFile: 's.json',
  })
  expect(readOptions(['--help'], {})).toBeNull()
})

test.each<[string, string[], NodeJS.ProcessEnv, RegExp]>([
  ['no path', [], env, /Name a folder/],
  ['an unknown option', ['--speed', 'photos'], env, /--speed/],
  ['no URL', ['photos'], { KEEPSNAP_API_KEY: key }, /KEEPSNAP_URL/],
  ['no URL of the web', ['--url', 'photos.example', 'photos'], env, /photos\.example is not a Keepsnap URL/],
  ['a URL with a query', ['--url', 'https://photos.example/?x', 'photos'], env, /is not a Keepsnap URL/],
  ['no key', ['photos'], { KEEPSNAP_URL: 'https://photos.example' }, /KEEPSNAP_API_KEY/],
  ['another key', ['--key', 'sk_live_1', 'photos'], env, /starts with ksnap_/],
  ['a key with characters that no header has', ['--key', 'ksnap_é\n', 'photos'], env, /starts with ksnap_/],
  ['an admin key', ['--key', 'ksadm_abc', 'photos'], env, /admin key/],
])('%s is a wrong command line', (_, args, environment, message) => {
  expect(() => readOptions(args, environment)).toThrow(UsageError)
  expect(() => readOptions(args, environment)).toThrow(message)
})
