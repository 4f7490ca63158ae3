import { expect, test } from 'vitest'
import { postgresSettings } from './cluster.ts'

const input = { socketDir: "/tmp/it's here", name: 'keepsnap-1', durable: true }

test('PostgreSQL listens on its private socket only, under the name of the cluster', () => {
  expect(postgresSettings(input)).toMatchObject({
    listen_addresses: '',
    unix_socket_directories: `"/tmp/it's here"`,
    unix_socket_permissions: '0700',
    cluster_name: 'keepsnap-1',
  })
})

test('protection against a crash of the machine is switched off for tests only', () => {
  expect(Object.keys(postgresSettings(input))).not.toContain('fsync')
  expect(postgresSettings({ ...input, durable: false })).toMatchObject({ fsync: 'off', synchronous_commit: 'off' })
})

test('the shared memory is between 32 and 128 MB', () => {
  const megabytes = Number.parseInt(String(postgresSettings(input)['shared_buffers']), 10)
  expect(megabytes).toBeGreaterThanOrEqual(32)
  expect(megabytes).toBeLessThanOrEqual(128)
})
