import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { createOrigins } from './origins.ts'

const origins = createOrigins('https://photos.example', ['https://Shop.Example:8443'], () => 8080)
const ownAddress = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ family }) => family === 'IPv4')?.address

test('a Host header names this server, by an IP address of the machine with the port, or another one', () => {
  for (const host of [
    'photos.example',
    'PHOTOS.example',
    'shop.example:8443',
    'localhost',
    'localhost:1234',
    '127.0.0.1:8080',
    '[::1]:8080',
    ...(ownAddress ? [`${ownAddress}:8080`] : []),
  ])
    expect([host, origins.isHost(host)]).toEqual([host, true])
  const onDefaultPort = createOrigins('https://photos.example', [], () => 80)
  expect(onDefaultPort.isHost(ownAddress ?? 'localhost')).toBe(true)
  for (const host of [
    undefined,
    '',
    'evil.example',
    'photos.example.evil.example',
    'photos.example:81',
    'shop.example',
    '203.0.113.9:8080',
    'localhost.evil.example',
  ])
    expect([host, origins.isHost(host)]).toEqual([host, false])
})

test('pages of the configured origins may call the API, and those of this machine over plain HTTP', () => {
  for (const origin of ['https://photos.example', 'https://shop.example:8443', 'http://localhost:8080'])
    expect([origin, origins.isOrigin(origin)]).toEqual([origin, true])
  for (const origin of ['http://photos.example', 'https://localhost:8080', 'http://localhost:3000', 'null', ''])
    expect([origin, origins.isOrigin(origin)]).toEqual([origin, false])
})
