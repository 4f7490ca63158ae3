import type { ApiLimits } from '@keepsnap/contract/api-docs.ts'
import type { apiDocs as english } from '../en/api-docs.ts'

export const apiDocs: typeof english = {
  title: 'API-Dokumentation',
  heading: 'API-Dokumentation',
  lead: 'Lade aus deiner Fotobox hoch und lies deine Fotos auf deiner eigenen Website.',
  needsPlan: (plan: string) => `Für den API-Zugang brauchst du ${plan}.`,
  toPlans: 'Tarife ansehen',
  language: 'Sprache der Beispiele',
  contents: 'Auf dieser Seite',
  loading: 'Die Dokumentation wird geladen',
  failed: 'Die Dokumentation konnte nicht geladen werden.',
  failedHint: 'Prüfe deine Verbindung und versuch es dann noch einmal.',
  start: {
    name: 'Schnellstart',
    lead: 'Erstelle in den Einstellungen einen Schlüssel und sende ein Foto. Die Antwort enthält schon die URL des QR-Codes; das Foto selbst ist etwa eine Sekunde später fertig.',
    toSettings: 'Zu den Einstellungen',
    baseUrl: 'Basis-URL',
    format: 'Format',
    formatText:
      'JSON in UTF-8. Zeiten nach ISO 8601 in UTC. Es können Felder hinzukommen; ignoriere die, die du nicht kennst.',
    booths: 'Für Fotoboxen',
    boothsText:
      'Ein Befehl, der einen Ordner überwacht und jedes Foto genau einmal hochlädt, auch wenn etwas abstürzt oder das Netz ausfällt. Er braucht Node 20 oder neuer.',
    machine: 'Für Programme',
    machineText: 'Dasselbe als OpenAPI-3.1-Dokument, zum Erzeugen eines Clients in deiner Sprache.',
  },
  auth: {
    name: 'Authentifizierung',
    lead: 'Sende deinen Schlüssel bei jedem Aufruf mit, im Header X-API-Key oder api-key.',
    key: 'Ein Schlüssel beginnt mit ksnap_. Er kann deine Fotos lesen und neue hochladen, sonst nichts. Verwende ihn nicht in Webseiten und Apps, die andere öffnen können.',
    header: 'Header',
  },
  groups: {
    Photos: 'Fotos',
    Account: 'Konto',
    Health: 'Zustand',
    Admin: 'Verwaltung',
  },
  adminOnly: 'Nur für Betreiber',
  call: {
    parameters: 'Parameter',
    columns: { name: 'Name', type: 'Typ', meaning: 'Bedeutung' },
    required: 'erforderlich',
    header: 'Header',
    file: 'Datei',
    default: (value: string) => `Standardwert ${value}`,
    range: (from: number, to: number) => `${from} bis ${to}`,
    response: (status: string) => `Antwort ${status}`,
    fields: 'Felder der Antwort',
    body: 'Body',
    bodyFields: 'Felder des Bodys',
    errors: 'Fehlerantworten',
    linkTo: (name: string) => `Link zu ${name}`,
    link: 'Link zu diesem Abschnitt',
    linkNamed: (name: string) => `Link zu diesem Abschnitt: ${name}`,
  },
  types: {
    string: 'Text',
    integer: 'ganze Zahl',
    number: 'Zahl',
    boolean: 'true oder false',
    object: 'Objekt',
    array: 'Liste',
    listOf: (type: string) => `Liste (${type})`,
    'date-time': 'Zeitpunkt',
    uri: 'URL',
    email: 'E-Mail-Adresse',
    orNull: (type: string) => `${type} oder null`,
    always: (value: string) => `immer ${value}`,
    oneOf: (values: string) => `einer der Werte ${values}`,
  },
  webhooks: {
    name: 'Webhooks',
    lead: 'Füge in den Einstellungen einen Webhook hinzu, dann senden wir diese Ereignisse an deinen Server, sobald sie passieren: als POST mit JSON-Body, signiert nach der Spezifikation Standard Webhooks.',
    delivery: ({ webhookTimeoutSeconds: seconds, webhookRetryHours: hours }: ApiLimits) =>
      `Antworte innerhalb von ${seconds} Sekunden mit einem Status von 200 bis 299. Sonst wird das Ereignis noch einmal gesendet, ${hours} Stunden lang und mit wachsenden Pausen. Weiterleitungen folgen wir nicht. Wenn ${hours} Stunden lang alles fehlschlägt, wird der Webhook ausgeschaltet, und du bekommst eine E-Mail.`,
    order:
      'Ein Ereignis kann zweimal ankommen oder nach einem späteren. Jeder Versuch hat dieselbe webhook-id: Ignoriere IDs, die du schon kennst.',
    verify: 'Prüfe die Signatur, bevor du dem Body vertraust',
    verifyLead: ({ webhookSecretOverlapHours: hours }: ApiLimits) =>
      `Verwende den Body genau so, wie er angekommen ist. Nachdem du das Secret ersetzt hast, signieren das neue und das vorige noch ${hours} Stunden lang beide.`,
    headers: 'Header',
  },
  errors: {
    name: 'Fehler',
    lead: 'Jede Fehlerantwort hat einen code für dein Programm und ein detail für Menschen. Bei 422 ist detail eine Liste der Felder und Header, die nicht stimmen.',
    columns: { status: 'Status', detail: 'Detail', action: 'Was tun' },
  },
  limits: {
    name: 'Ratenbegrenzung',
    lead: 'Gezählt wird über jeweils 60 Sekunden. Gäste, die Codes scannen und Fotos öffnen, werden nie gezählt.',
    columns: { calls: 'Aufrufe', perMinute: 'Pro Minute', counted: 'Gezählt' },
    auth: 'Authentifizierung',
    photos: 'Fotozugriff',
    admin: 'Verwaltung',
    perClient: 'pro Client: eine IPv4-Adresse oder ein IPv6-Netz (/64)',
    perKey: 'pro API-Schlüssel',
    perAdminKey: 'pro Admin-Schlüssel',
    uploads: ({ uploads, uploadMinutes, pageMax }: ApiLimits) =>
      `Ein Upload zählt als Fotozugriff und außerdem zu den ${uploads} Uploads, die einem Konto in jeweils ${uploadMinutes} Minuten möglich sind. Eine Seite hat höchstens ${pageMax} Fotos.`,
    headersLead:
      'Jede gezählte Antwort sagt, was noch übrig ist, nach dem IETF-Entwurf „RateLimit header fields for HTTP“:',
    headers: 'Header',
    exceeded:
      'Über dem Limit ist die Antwort 429 mit „Rate limit exceeded“. Warte so viele Sekunden, wie in Retry-After steht; frühere Aufrufe helfen nicht.',
    retries: ({ idempotencyHours: hours }: ApiLimits) =>
      `Wiederhole Uploads mit demselben Idempotency-Key: ${hours} Stunden lang ergibt derselbe Wert dasselbe Foto. Mit einer anderen Datei wird der Upload mit 422 abgelehnt.`,
  },
}
