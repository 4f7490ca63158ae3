import { expect, test } from 'vitest'
import { isPrivateUrl } from './private-url.ts'

test.each([
  'http://localhost:3000',
  'http://127.0.0.1',
  'http://192.168.1.20:3000',
  'http://10.1.2.3',
  'http://172.20.0.1',
  'http://[::1]:3000',
  'http://[fd12:3456::1]',
  'http://booth.local',
  'http://booth',
  'http://photos.test',
  'http://100.64.0.1',
])('%s is private', (url) => expect(isPrivateUrl(url)).toBe(true))

test.each([
  'https://photos.example.com',
  'http://93.184.216.34',
  'https://172.32.0.1',
  'https://[2606:2800::1]',
  'https://localhost.example.com',
  'https://10.example.com',
  'https://127.photos.com',
  'https://192.168.evil.com',
])('%s is public', (url) => expect(isPrivateUrl(url)).toBe(false))
