import type { LegalContext } from '../legal-text.ts'
import type { DeviceKey, RecordId } from './inventory.ts'

const contract = 'Pour vous fournir le service auquel vous vous êtes inscrit (contrat)'
const security = 'Pour la sécurité des comptes et du service (intérêt légitime)'

/** Quoi, pourquoi et sur quelle base juridique, et combien de temps. */
type Row = readonly [string, string, string]

const recordsOfOwners = ({ values: v }: LegalContext) =>
  ({
    account: [
      '**Votre compte** : adresse e-mail et si elle est confirmée, nom d’utilisateur, nom de marque, fuseau horaire, réglages, jour de votre inscription, version des conditions générales que vous avez acceptée, et votre mot de passe sous forme d’empreinte irréversible',
      contract,
      'Jusqu’à ce que vous supprimiez le compte. Un compte inutilisé n’est pas supprimé automatiquement',
    ],
    consents: [
      '**Consentements** : quels e-mails de nouvelles et d’offres vous avez acceptés ou refusés, quand, et la version de la phrase',
      'Pour prouver votre consentement (obligation légale)',
      'Jusqu’à ce que vous supprimiez le compte',
    ],
    sessions: [
      `**Vos connexions** : une empreinte du jeton de session, ce que le navigateur dit de lui-même (au plus ${v.userAgentChars} caractères), le début de la session et sa dernière utilisation`,
      'Pour vous garder connecté et vous montrer vos appareils (contrat)',
      `Jusqu’à ce que vous vous déconnectiez, ${v.sessionIdleDays} jours sans utilisation, ou ${v.sessionMaxDays} jours au total`,
    ],
    photos: [
      '**Photos** avec leurs miniatures, noms de fichiers, dimensions, heures d’envoi et codes, et si elles sont masquées ; pour une photo que nous avons masquée, quand, et ce que nous vous avons écrit à ce sujet. Le lieu, l’appareil et les autres données cachées sont supprimés ; seuls le copyright et l’auteur restent',
      'Pour conserver, montrer et transmettre les photos pour leur propriétaire (contrat avec le propriétaire)',
      `Jusqu’à ce que le propriétaire les supprime : dès lors, plus personne ne peut les ouvrir, une tâche supprime aussitôt les fichiers, et la dernière entrée disparaît ${v.deletedPhotoHours} heures plus tard. Le fichier envoyé lui-même disparaît dès que la photo est prête, celui d’une photo en échec après ${v.failedOriginalDays} jours`,
    ],
    removals: [
      '**Suppressions** : quelles photos seront ou ont été supprimées après la fin d’une formule supérieure, et quels e-mails vous en ont averti',
      contract,
      `${v.keepDays} jours jusqu’à la suppression, et ${v.undoRemovalDays} jours durant lesquels vous pouvez l’annuler`,
    ],
    branding: [
      '**Votre logo et votre image de fond**, et l’avancement de l’ajout d’un filigrane. Pour une photo avec filigrane, l’image sans filigrane est conservée aussi ; vous seul pouvez l’obtenir',
      contract,
      'Jusqu’à ce que vous les supprimiez, ou le compte',
    ],
    usage: [
      '**Votre utilisation** : combien de photos vous avez ajoutées chaque mois, quels avertissements de limite vous avez reçus, et le temps de calcul des fichiers longs à traiter',
      'Pour appliquer les limites de votre formule (contrat)',
      `Jusqu’à ce que vous supprimiez le compte ; le temps de calcul ${v.processingDays} jours`,
    ],
    insights: [
      '**Nombres** : combien de fois une photo a été scannée, vue, téléchargée et demandée chaque heure. Uniquement des nombres : rien sur l’auteur de ces actions',
      'Pour montrer aux propriétaires comment leurs photos sont utilisées (intérêt légitime)',
      'Jusqu’à ce que la photo soit supprimée',
    ],
  }) as const

const recordsOfGuests = ({ values: v }: LegalContext) =>
  ({
    requests: [
      '**Demandes d’invités** : l’adresse e-mail, la photo demandée, l’heure, la version de la phrase à côté du champ, et une empreinte du lien envoyé',
      'Pour envoyer la photo que l’invité a demandée (consentement)',
      `${v.requestDays} jours, ou jusqu’à ce que la photo soit supprimée. Le lien fonctionne ${v.grantHours} heures ; son empreinte disparaît ${v.expiredLinkDays} jours plus tard`,
    ],
    requestAttempts: [
      '**Pseudonymes** : un pour le réseau depuis lequel quelqu’un a demandé une photo. Il change chaque jour et ne permet pas de retrouver une adresse IP',
      'Pour empêcher les envois massifs d’e-mails (intérêt légitime)',
      `${v.requestAttemptDays} jour`,
    ],
    blockedMailboxes: [
      '**Boîtes désinscrites** : le fait qu’une boîte de réception ne veut plus de photos : une empreinte qui ne permet pas de lire l’adresse',
      'Pour respecter votre opposition (obligation légale)',
      'Jusqu’à ce que vous autorisiez à nouveau les e-mails avec photos',
    ],
    reports: [
      `**Signalements** d’une photo : le motif, l’heure et ce que vous avez écrit dans la remarque (au plus ${v.reportNoteChars} caractères). Pas qui vous êtes`,
      'Pour protéger les personnes photographiées (intérêt légitime et obligation légale)',
      'Jusqu’à ce que la photo soit supprimée',
    ],
    support: [
      '**Messages à l’assistance** : nom, adresse e-mail, objet, message, votre compte si vous êtes connecté, et un pseudonyme comme ci-dessus contre les envois massifs. Ils sont aussi transmis par e-mail aux personnes qui répondent',
      'Pour vous répondre (contrat, intérêt légitime)',
      `${v.supportAnsweredDays} jours après la réponse ; sans réponse ${v.supportOpenDays} jours, ${v.supportSuspectedDays} jours s’ils ressemblent à du spam ; le pseudonyme ${v.requestAttemptDays} jour`,
    ],
    emails: [
      '**E-mails** que nous envoyons : l’adresse, le type, les heures, si l’e-mail a été envoyé, et sinon pourquoi',
      'Pour les envoyer une seule fois, et pour dire aux propriétaires ce qu’est devenue une demande (contrat, intérêt légitime)',
      `${v.requestDays} jours ; celui qui confirme la fin d’un compte ${v.receiptHours} heures`,
    ],
    links: [
      '**Liens dans les e-mails** : empreintes des liens qui permettent de choisir un nouveau mot de passe ou de confirmer une adresse, avec cette adresse',
      contract,
      `Les liens fonctionnent ${v.resetMinutes} minutes et ${v.verifyDays} jours ; leurs empreintes disparaissent ${v.expiredLinkDays} jours plus tard`,
    ],
  }) as const

const recordsOfService = ({ values: v }: LegalContext) =>
  ({
    exports: [
      '**Exports de données** : le fichier avec toutes vos données, si vous l’avez demandé ou avant que des photos soient supprimées',
      'Pour vous remettre vos données (obligation légale)',
      `${v.exportDays} jours`,
    ],
    integrations: [
      '**Clés d’API** (nom, empreinte, quatre derniers caractères, dernière utilisation), et **webhooks** avec l’adresse que vous avez indiquée et un journal de ce qui a été envoyé',
      contract,
      `Jusqu’à ce que vous les supprimiez ; le journal ${v.webhookLogDays} jours`,
    ],
    billing: [
      '**Paiements** : formule, périodes, remboursements et numéro de votre compte chez le prestataire de paiement. Pas de données de carte : elles ne nous parviennent jamais',
      'Pour vendre des formules (contrat) et tenir une comptabilité (obligation légale)',
      `Jusqu’à ce que vous supprimiez le compte et que tout soit réglé ; les messages du prestataire de paiement ${v.paymentEventDays} jours. Les factures restent aussi longtemps que le droit fiscal belge l’exige`,
    ],
    knownClients: [
      '**Adresses IP** (pour IPv6, la première moitié) depuis lesquelles vous vous êtes connecté',
      security,
      `${v.knownClientDays} jours après la dernière connexion, ou jusqu’à ce que vous réinitialisiez votre mot de passe`,
    ],
    passwordAttempts: [
      '**Mots de passe erronés** : l’adresse e-mail saisie, le nombre de tentatives et, là où vous vous étiez déjà connecté, l’adresse IP',
      security,
      `${v.passwordAttemptDays} jour après la dernière tentative`,
    ],
    rateLimits: [
      '**Compteurs** : combien de fois une adresse IP, un compte ou une clé a appelé une fonction soumise à une limite',
      security,
      `Environ ${v.rateHitMinutes} minutes`,
    ],
    audit: [
      '**Journal d’audit** : ce que les exploitants et les programmes dotés d’une clé d’administration ont fait ou consulté, avec le nom du compte et le motif',
      'Pour pouvoir vérifier qui a usé de tels droits (intérêt légitime)',
      `Actions ${v.auditActionDays} jours, appels ${v.auditCallDays} jours. Une fois votre compte supprimé, plus rien n’y mentionne votre nom`,
    ],
    log: [
      '**Le journal du programme** : erreurs et démarrages, avec des numéros internes de photos, d’e-mails et de clients. Les requêtes, adresses IP et liens n’y sont pas consignés',
      'Pour trouver les erreurs (intérêt légitime)',
      'Jusqu’à ce qu’il soit écrasé sur notre serveur',
    ],
    copies: [
      '**Sauvegardes** : copies de toute la base de données et des fichiers, si nous en faisons pour parer à une perte ; et numéros internes aléatoires de comptes et de photos supprimés, avec l’heure de la suppression',
      'Pour rétablir le service après une perte (intérêt légitime)',
      `Jusqu’à ce qu’une copie plus récente les remplace ; les numéros ${v.erasureDays} jours. Ce que vous avez supprimé est supprimé à nouveau après la restauration d’une copie : c’est à cela que servent ces numéros`,
    ],
  }) as const

export const records = (context: LegalContext): Record<RecordId, Row> => ({
  ...recordsOfOwners(context),
  ...recordsOfGuests(context),
  ...recordsOfService(context),
})

/** Ce qu’un navigateur stocke, pourquoi, et jusqu’à quand. */
export const deviceStorage = ({ values: v }: LegalContext): Record<DeviceKey, readonly [string, string]> => ({
  token: ['Vous garde connecté', 'Jusqu’à ce que vous vous déconnectiez ou que votre session prenne fin'],
  theme: ['Clair ou sombre, si vous en avez choisi un', 'Jusqu’à ce que vous choisissiez Système'],
  cookie_preferences: ['Votre choix dans le bandeau des cookies', 'Jusqu’à ce que vous l’effaciez'],
  cookie_decision: [
    'Quand vous avez fait ce choix, et pour quelle mesure d’audience',
    'Jusqu’à ce que vous l’effaciez',
  ],
  'hidden-usage-warning': ['Quel avertissement de limite vous avez fermé', 'Jusqu’au suivant'],
  'stage-prints': ['Si l’écran montre les photos récentes', 'Jusqu’à ce que vous les réactiviez'],
  'keepsnap-uploads': [
    'Les photos choisies pour lesquelles votre formule n’a pas encore de place, pour qu’elles survivent à un rechargement',
    'Jusqu’à ce qu’elles soient envoyées ou que vous les retiriez',
  ],
  language: ['La langue que vous avez choisie, le cas échéant', `${v.languageDays} jours`],
  places: ['Jusqu’où vous aviez fait défiler, pour le bouton Retour', 'Jusqu’à ce que vous fermiez l’onglet'],
  'stage-full': ['Si l’écran occupe tout l’affichage', 'Jusqu’à ce que vous fermiez l’onglet'],
  'stage-reloaded': [
    'Quand l’écran s’est rechargé de lui-même pour la dernière fois',
    'Jusqu’à ce que vous fermiez l’onglet',
  ],
  'report-later-*': [
    'Jusqu’à quel signalement vous avez choisi Plus tard ; le numéro de votre compte suit le nom',
    'Jusqu’à ce que vous fermiez l’onglet',
  ],
  'support-draft': [
    'Un message à l’assistance que vous n’avez pas encore envoyé',
    'Jusqu’à ce que vous l’envoyiez ou fermiez l’onglet',
  ],
})
