import type { apiDocs as english } from '../en/api-docs.ts'

/** The documentation of the API, besides what the server's description of it says. */
export const apiDocs: typeof english = {
  title: 'Documentation de l’API',
  heading: 'Documentation de l’API',
  lead: 'Envoyez des photos depuis une borne, lisez-les depuis votre propre site.',
  needsPlan: (plan) => `L’accès à l’API nécessite ${plan}.`,
  toPlans: 'Voir les formules',
  language: 'Langage des exemples',
  contents: 'Sur cette page',
  loading: 'Chargement de la documentation',
  failed: 'La documentation n’a pas pu être chargée.',
  failedHint: 'Vérifiez votre connexion, puis réessayez.',
  start: {
    name: 'Premiers pas',
    lead: 'Créez une clé dans les paramètres, puis envoyez une photo. La réponse contient déjà l’URL de son code QR ; la photo elle-même est prête environ une seconde plus tard.',
    toSettings: 'Ouvrir les paramètres',
    baseUrl: 'URL de base',
    format: 'Format',
    formatText:
      'JSON en UTF-8. Les heures suivent ISO 8601, en UTC. Des champs peuvent s’ajouter ; ignorez ceux que vous ne connaissez pas.',
    booths: 'Pour les bornes',
    boothsText:
      'Une commande qui surveille un dossier et envoie chaque photo une seule fois, même en cas de plantage ou de coupure du réseau. Nécessite Node 20 ou plus récent.',
    machine: 'Pour les programmes',
    machineText: 'La même chose sous forme de document OpenAPI 3.1, pour générer un client dans votre langage.',
  },
  auth: {
    name: 'Authentification',
    lead: 'Envoyez votre clé avec chaque appel, dans l’en-tête X-API-Key ou api-key.',
    key: 'Une clé commence par ksnap_. Elle peut lire vos photos et en ajouter, rien d’autre. Ne la placez jamais dans une page web ou une appli que d’autres peuvent ouvrir.',
    header: 'En-tête',
  },
  groups: {
    Photos: 'Photos',
    Account: 'Compte',
    Health: 'État du service',
    Admin: 'Administration',
  },
  adminOnly: 'Réservé aux exploitants',
  call: {
    parameters: 'Paramètres',
    columns: { name: 'Nom', type: 'Type', meaning: 'Signification' },
    required: 'obligatoire',
    header: 'en-tête',
    file: 'fichier',
    default: (value) => `${value} par défaut`,
    range: (from, to) => `de ${from} à ${to}`,
    response: (status) => `Réponse ${status}`,
    fields: 'Champs de la réponse',
    body: 'Corps',
    bodyFields: 'Champs du corps',
    errors: 'Erreurs',
    linkTo: (name) => `le lien vers ${name}`,
    link: 'Lien vers cette partie',
    linkNamed: (name) => `Lien vers cette partie : ${name}`,
  },
  types: {
    string: 'texte',
    integer: 'nombre entier',
    number: 'nombre',
    boolean: 'true ou false',
    object: 'objet',
    array: 'liste',
    listOf: (type) => `liste (${type})`,
    'date-time': 'date et heure',
    uri: 'URL',
    email: 'adresse e-mail',
    orNull: (type) => `${type} ou null`,
    always: (value) => `toujours ${value}`,
    oneOf: (values) => `une valeur parmi ${values}`,
  },
  webhooks: {
    name: 'Webhooks',
    lead: 'Ajoutez un webhook dans les paramètres et nous envoyons ces événements à votre serveur au moment où ils se produisent : un POST avec un corps JSON, signé selon la spécification Standard Webhooks.',
    delivery: ({ webhookTimeoutSeconds: seconds, webhookRetryHours: hours }) =>
      `Répondez avec n’importe quel statut de 200 à 299 dans les ${seconds} secondes. Sinon, l’événement est envoyé à nouveau, après des pauses de plus en plus longues, pendant ${hours} heures. Les redirections ne sont pas suivies. Si tout échoue pendant ${hours} heures, le webhook est désactivé et vous recevez un e-mail.`,
    order:
      'Un événement peut arriver deux fois, ou après un événement plus récent. Chaque essai porte le même webhook-id : ignorez les identifiants que vous avez déjà vus.',
    verify: 'Vérifiez la signature avant de vous fier au corps',
    verifyLead: ({ webhookSecretOverlapHours: hours }) =>
      `Utilisez le corps exactement tel qu’il est arrivé. Après le remplacement du secret, le nouveau et le précédent signent tous deux pendant ${hours} heures.`,
    headers: 'En-têtes',
  },
  errors: {
    name: 'Erreurs',
    lead: 'Chaque refus comporte un code pour votre programme et un champ detail pour les humains. Avec 422, detail est la liste des champs et des en-têtes incorrects.',
    columns: { status: 'Statut', detail: 'Detail', action: 'Que faire' },
  },
  limits: {
    name: 'Limites de débit',
    lead: 'Comptées sur 60 secondes glissantes. Les invités qui scannent des codes et ouvrent des photos ne sont jamais comptés.',
    columns: { calls: 'Appels', perMinute: 'Par minute', counted: 'Comptés' },
    auth: 'Authentification',
    photos: 'Accès aux photos',
    admin: 'Administration',
    perClient: 'par client : une adresse IPv4 ou un réseau IPv6 /64',
    perKey: 'par clé d’API',
    perAdminKey: 'par clé d’administration',
    uploads: ({ uploads, uploadMinutes, pageMax }) =>
      `L’envoi d’une photo compte comme un accès aux photos et comme l’un des ${uploads} envois du compte par ${uploadMinutes} minutes glissantes. Les pages comptent au plus ${pageMax} photos.`,
    headersLead:
      'Chaque réponse comptée indique ce qui reste, selon le projet de norme de l’IETF « RateLimit header fields for HTTP » :',
    headers: 'En-têtes',
    exceeded:
      'Au-delà de la limite, la réponse est 429 avec « Rate limit exceeded ». Attendez le nombre de secondes indiqué par Retry-After ; appeler plus tôt ne sert à rien.',
    retries: ({ idempotencyHours: hours }) =>
      `Répétez un envoi avec la même Idempotency-Key : pendant ${hours} heures, la même valeur donne la même photo. Avec un autre fichier, l’envoi est refusé avec 422.`,
  },
}
