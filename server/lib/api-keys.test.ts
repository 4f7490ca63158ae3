import { expect, test } from 'vitest'
import { isApiKey, lastFourOf, newApiKey, shortApiKey } from './api-keys.ts'

test('a new key has its prefix, at least 256 random bits and a checksum', () => {
  const keys = Array.from({ length: 1000 }, () => newApiKey('customer'))
  expect(new Set(keys).size).toBe(keys.length)
  for (const key of keys) {
    expect(key).toMatch(/^ksnap_[0-9A-Za-z]{49}$/)
    expect(isApiKey('customer', key)).toBe(true)
  }
  expect(newApiKey('admin')).toMatch(/^ksadm_[0-9A-Za-z]{49}$/)
})

test('a key of one kind is none of the other, also with the other prefix', () => {
  const key = newApiKey('customer')
  expect(isApiKey('admin', key)).toBe(false)
  expect(isApiKey('admin', key.replace('ksnap_', 'ksadm_'))).toBe(false)
})

test('a key that was cut, mistyped or extended is none', () => {
  const key = newApiKey('admin')
  expect(isApiKey('admin', key)).toBe(true)
  for (let at = 0; at < key.length; at += 1) {
    const wrong = key[at] === 'x' ? 'y' : 'x'
    expect([at, isApiKey('admin', key.slice(0, at) + wrong + key.slice(at + 1))]).toEqual([at, false])
  }
  for (const text of ['', 'ksadm_', key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()])
    expect([text, isApiKey('admin', text)]).toEqual([text, false])
})

test('the checksum of a key is the CRC-32 of the rest in base 62', () => {
  // Computed by Python: zlib.crc32(b'ksnap_' + b'0' * 43)
  const key = `ksnap_${'0'.repeat(43)}`
  expect(isApiKey('customer', `${key}3l8Uhg`)).toBe(true)
})

test('lists show the prefix and the last four characters', () => {
  const key = newApiKey('customer')
  expect(shortApiKey('customer', lastFourOf(key))).toBe(`ksnap_...${key.slice(-4)}`)
})
