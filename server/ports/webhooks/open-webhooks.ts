import { createEncryption, type Encryption } from '../../lib/encryption.ts'
import { deriveKeys, type SecretKeys } from '../../lib/secret-keys.ts'
import type { ResolveHost } from './resolve-host.ts'
import { createWebhookSender, type WebhookSender } from './webhook-sender.ts'
import type { WebhookSettings } from './webhook-settings.ts'

/** What outgoing webhooks need. */
export interface OutgoingWebhooks {
  sender: WebhookSender
  /** Encrypts their signing secrets; the context is the webhook's id. */
  secrets: Encryption
  /** Whether some of them may be encrypted with a former secret key. */
  isKeyReplaced: boolean
  /** Attempts that go on after their jobs; awaited before the program ends. */
  unfinished: Set<Promise<void>>
}

/** What outgoing webhooks are created from. */
export interface WebhooksOptions {
  config: WebhookSettings
  secretKeys: SecretKeys
  /** Another resolver, for tests. */
  resolveHost: ResolveHost | undefined
}

/** Creates what outgoing webhooks need from the settings. */
export const openWebhooks = ({ config, secretKeys, resolveHost }: WebhooksOptions): OutgoingWebhooks => ({
  sender: createWebhookSender({ allowedHosts: config.webhookAllowedHosts, ...(resolveHost && { resolveHost }) }),
  secrets: createEncryption(deriveKeys(secretKeys, 'keepsnap webhook secrets')),
  isKeyReplaced: secretKeys.accepted.length > 0,
  unfinished: new Set(),
})
