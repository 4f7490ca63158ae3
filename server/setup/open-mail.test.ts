import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openMail } from './open-mail.ts'

test('a file of certificates that is none is named at the start', async () => {
  for (const file of ['/no/such/ca.pem', import.meta.filename]) {
    const env = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@example.com', NODE_EXTRA_CA_CERTS: file }
    await expect(openMail(readConfig(env, { lanAddress: undefined, cwd: '/' }))).rejects.toThrow(
      `NODE_EXTRA_CA_CERTS is ${file}, which cannot be read or has no certificate`,
    )
  }
})
