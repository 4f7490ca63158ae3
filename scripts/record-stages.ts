import { alertTools, balancerTools, engineTools, fontTools, postgres15Tools, proxyTools } from './tools.ts'

/** A part of `npm run record`: tests that run with their long counts. */
export interface Stage {
  name: string
  title: string
  vitestProject: 'server' | 'e2e'
  /** Files and folders, relative to the project's root. */
  testPaths: string[]
  /** What it needs beside the tools of `npm test`. */
  tools?: Record<string, string>
  /** A folder with packages of its own, relative to the project's root, which are installed when the stage runs. */
  packageFolder?: string
  /** Settings of its tests. */
  env?: Record<string, string>
  /** A variable of the environment without which it is left out. */
  variable?: string
}

export const stages: Stage[] = [
  {
    name: 'reader',
    title: 'mutated JPEGs in the strict reader, mutated heads of files of all formats',
    vitestProject: 'server',
    testPaths: ['server/images/jpeg/jpeg-fuzz.test.ts', 'server/images/header-fuzz.test.ts'],
  },
  {
    name: 'bombs',
    title: 'decompression bombs, damaged files and hostile SVGs in the decoders',
    vitestProject: 'server',
    testPaths: ['server/images/render', 'server/features/branding/routes.test.ts'],
  },
  {
    name: 'hostile',
    title: 'hostile input and failures, over the public interface, and times that are promised',
    vitestProject: 'server',
    testPaths: [
      'server/test/hostile',
      'server/features/api-keys/key-store.test.ts',
      'server/features/sharing/access-matrix.test.ts',
      'server/runtime/data-folder.test.ts',
    ],
  },
  {
    name: 'limits',
    title: 'uploads that race for the last place of a month',
    vitestProject: 'server',
    testPaths: ['server/features/photos/quota.test.ts'],
  },
  {
    name: 'verify',
    title: 'verify and its repair with 1,000 photos of which 1 % are lost or flipped',
    vitestProject: 'server',
    testPaths: ['server/commands/verify-races.test.ts'],
  },
  {
    name: 'payments',
    title: 'each call of the payment provider failing in turn, random orders of webhooks',
    vitestProject: 'server',
    testPaths: ['server/features/billing'],
  },
  {
    name: 'accounts',
    title: 'accounts deleted during uploads and processing',
    vitestProject: 'server',
    testPaths: ['server/features/accounts/account-deletion.test.ts'],
  },
  {
    name: 'emails',
    title: 'many emails, and whether the time of an answer reveals anything about an address',
    vitestProject: 'server',
    testPaths: ['server/emails', 'server/features/requests'],
  },
  {
    name: 'stripe',
    title: 'the shared tests of payments at Stripe itself, in test mode',
    vitestProject: 'server',
    testPaths: ['server/ports/payments/stripe-test-mode.record.ts'],
    variable: 'STRIPE_TEST_KEY',
  },
  {
    name: 'starts',
    title: 'kill -9 of PostgreSQL and its launcher',
    vitestProject: 'server',
    testPaths: ['server/postgres/embedded-postgres.test.ts'],
  },
  {
    name: 'alerts',
    title: 'each alert rule fires, in promtool and in a Prometheus that reads a server in trouble',
    vitestProject: 'server',
    testPaths: ['server/metrics/alerts.record.ts'],
    tools: alertTools,
  },
  {
    name: 'kills',
    title: 'kill -9 in the middle of uploads and processing',
    vitestProject: 'e2e',
    testPaths: ['e2e/kills.spec.ts'],
  },
  {
    name: 'booth',
    title: 'kill -9 of keepsnap-upload while its folder fills',
    vitestProject: 'server',
    testPaths: ['client/command/keepsnap-upload.test.ts'],
  },
  {
    name: 'accessibility',
    title: 'axe with all rules on all screens, in both themes and at both widths, with a screenshot of each',
    vitestProject: 'e2e',
    testPaths: [
      'e2e/accessibility.spec.ts',
      'e2e/phone.spec.ts',
      'e2e/latest-shapes.spec.ts',
      'e2e/demo-payments.spec.ts',
      'e2e/api-keys.spec.ts',
      'e2e/print.spec.ts',
      'e2e/cookie-banner.spec.ts',
      'e2e/webhooks.spec.ts',
      'e2e/support.spec.ts',
    ],
  },
  {
    name: 'screens',
    title: 'every page at four widths in both themes, and in four languages: pictures, layout, shifts, errors, words',
    vitestProject: 'e2e',
    testPaths: ['e2e/screens.record.ts'],
    tools: fontTools,
  },
  {
    name: 'email-pictures',
    title: 'every email in four languages, narrow and wide, light and dark: pictures, layout, words, plain text',
    vitestProject: 'e2e',
    testPaths: ['e2e/email-pictures.record.ts'],
  },
  {
    name: 'prints',
    title: 'table cards and posters in other scripts, with emojis and wide words: codes read from paper, pictures',
    vitestProject: 'e2e',
    testPaths: ['e2e/prints.record.ts'],
  },
  {
    name: 'backup',
    title: 'restore drills: 1,000 photos, kill -9 of backups and restores, PostgreSQL 15, a bucket',
    vitestProject: 'server',
    testPaths: ['server/backup'],
    tools: postgres15Tools,
  },
  {
    name: 'lighthouse',
    title: 'Lighthouse on the pages that visitors see first',
    vitestProject: 'e2e',
    testPaths: ['e2e/lighthouse'],
    packageFolder: 'e2e/lighthouse',
  },
  {
    name: 'api-client',
    title: 'a client that another generator makes from the OpenAPI document',
    vitestProject: 'e2e',
    testPaths: ['e2e/api-client'],
    packageFolder: 'e2e/api-client',
  },
  {
    name: 'evening',
    title: 'an evening of 200 photos on Latest, with everything that its host can do',
    vitestProject: 'e2e',
    testPaths: ['e2e/evening.record.ts'],
  },
  {
    name: 'moves',
    title: 'kill -9 of move-storage beside uploads, reads and deletions',
    vitestProject: 'server',
    testPaths: ['server/moving'],
  },
  {
    name: 'proxies',
    title:
      'Caddy, HAProxy and nginx with the samples of deploy/: the largest upload, slow uploads, WebSockets, addresses, and no node',
    vitestProject: 'server',
    testPaths: ['server/http/proxies.record.ts', 'server/http/proxies-without-node.record.ts'],
    tools: proxyTools,
  },
  {
    name: 's3',
    title: 'the journeys of users, guests and operators with files in a bucket (radosgw)',
    vitestProject: 'e2e',
    testPaths: ['e2e'],
    env: { KEEPSNAP_STORE: 's3', KEEPSNAP_RECORD: '0', KEEPSNAP_CYCLES: '20' },
  },
  {
    name: 'nodes',
    title:
      'journeys on two API nodes and two workers behind HAProxy, with files in a bucket; nodes killed and restarted',
    vitestProject: 'e2e',
    testPaths: [
      'e2e/main.spec.ts',
      'e2e/guests.spec.ts',
      'e2e/upload.spec.ts',
      'e2e/two-screens.spec.ts',
      'e2e/sign-in.spec.ts',
      'e2e/accounts.spec.ts',
      'e2e/keyboard.spec.ts',
      'e2e/languages.spec.ts',
      'e2e/plan-changes.spec.ts',
      'e2e/subscription.spec.ts',
      'e2e/support.spec.ts',
      'e2e/api-keys.spec.ts',
      'e2e/webhooks.spec.ts',
      'e2e/nodes.record.ts',
    ],
    tools: balancerTools,
    env: { KEEPSNAP_STORE: 's3', KEEPSNAP_NODES: '1' },
  },
  {
    name: 'old-code',
    title: 'the last release on a database that this version has migrated, beside this version',
    vitestProject: 'server',
    testPaths: ['server/test/old-code.record.ts'],
  },
  {
    name: 'engines',
    title: 'the main journey in Firefox and WebKitGTK',
    vitestProject: 'e2e',
    testPaths: ['e2e/engines'],
    tools: engineTools,
  },
]
