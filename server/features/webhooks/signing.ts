import { createHmac, randomBytes } from 'node:crypto'

/** Secrets and signatures after the Standard Webhooks specification, https://www.standardwebhooks.com. */
const prefix = 'whsec_'
const secretBytes = 32

/** A new signing secret: 256 random bits. */
export const newSigningSecret = (): string => prefix + randomBytes(secretBytes).toString('base64')

/** What lists show of a secret. */
export const secretHint = (lastFour: string): string => `${prefix}...${lastFour}`

export interface SignedMessage {
  messageId: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
  /** The current secret, and the previous one while that signs too. */
  secrets: readonly string[]
}

const signatureBy = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(content)
    .digest('base64')}`

/** The headers of a signed request. */
export function signedHeaders({ messageId, timestamp, body, secrets }: SignedMessage): Record<string, string> {
  const content = `${messageId}.${timestamp}.${body}`
  return {
    'content-type': 'application/json',
    'user-agent': 'Keepsnap',
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => signatureBy(secret, content)).join(' '),
  }
}
