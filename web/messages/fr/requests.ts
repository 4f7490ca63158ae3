import type { requests as english } from '../en/requests.ts'

/** Photos that guests requested by email. */
export const requests: typeof english = {
  title: 'Demandes de photos',
  heading: 'Demandes de photos',
  summary: {
    all: (count, written) => (count < 2 ? `${written} demande` : `${written} demandes`),
    sent: (written) => (written === '0' || written === '1' ? `${written} envoyée` : `${written} envoyées`),
    failed: (written) => `${written} en échec`,
    pending: (written) => `${written} en attente`,
    list: (parts) => parts.join(', '),
  },
  refresh: 'Actualiser',
  export: 'Exporter en CSV',
  columns: { requester: 'Adresse', photo: 'Photo', requested: 'Demandée', state: 'État', action: 'Action' },
  states: { queued: 'À envoyer', sent: 'Envoyée', failed: 'Échec', waiting: 'Reportée' },
  nextAttempt: (when) => `Prochain essai le ${when}`,
  scheduledFor: (when) => `Envoi prévu le ${when}`,
  inGallery: 'dans la galerie',
  view: 'Voir la photo',
  resend: 'Renvoyer',
  resendTo: (address) => `Renvoyer à ${address}`,
  more: 'Afficher plus',
  search: 'Rechercher par adresse e-mail',
  filter: 'État',
  allStates: 'Tous les états',
  found: (count, written) => (count < 2 ? `${written} demande trouvée` : `${written} demandes trouvées`),
  noMatch: 'Aucune demande trouvée.',
  showAll: 'Afficher toutes les demandes',
  exportsAll: 'Le fichier CSV contient toutes les demandes, pas seulement celles trouvées.',
  removal: (day, count, written) =>
    count === 1
      ? `Le ${day}, 1 adresse sera supprimée. Exportez-la d’abord si vous en avez besoin.`
      : `Le ${day}, ${written} adresses seront supprimées. Exportez-les d’abord si vous en avez besoin.`,
  loadingMore: 'Chargement d’autres demandes',
  resendAll: 'Renvoyer tous les échecs',
  resendFailed: {
    title: 'Renvoyer tous les e-mails en échec ?',
    question: (count, written) =>
      count === 1 ? '1 e-mail a échoué et sera renvoyé.' : `${written} e-mails ont échoué et seront renvoyés.`,
    details:
      'Les invités qui se sont désabonnés et les photos masquées ou qui n’ont pas pu être traitées sont laissés de côté. Les limites d’e-mails s’appliquent : certains partiront plus tard.',
    confirm: 'Renvoyer',
    queued: (count, written) => (count < 2 ? `${written} e-mail est renvoyé.` : `${written} e-mails sont renvoyés.`),
    waiting: (count, written) =>
      count === 1
        ? '1 e-mail partira plus tard à cause d’une limite.'
        : `${written} e-mails partiront plus tard à cause d’une limite.`,
    refused: (count, written) =>
      count === 1 ? '1 e-mail ne peut pas être renvoyé.' : `${written} e-mails ne peuvent pas être renvoyés.`,
    left: (count, written) =>
      count === 1
        ? 'Il reste 1 e-mail en échec. Renvoyez-le ensuite.'
        : `Il reste ${written} e-mails en échec. Renvoyez-les ensuite.`,
    none: 'Il ne reste aucun e-mail en échec.',
  },
  empty: 'Pas encore de demandes. Elles apparaissent ici quand un invité demande une photo.',
  askForEmail: 'Demander une adresse e-mail',
  filename: (day) => `demandes-de-photos-${day}.csv`,
  errors: {
    load: 'Les demandes n’ont pas pu être chargées. Veuillez réessayer.',
    more: 'La suite des demandes n’a pas pu être chargée. Veuillez réessayer.',
    resend: 'L’e-mail n’a pas pu être renvoyé. Veuillez réessayer.',
    resendAll: 'Les e-mails n’ont pas pu être renvoyés. Certains l’ont peut-être été. Veuillez réessayer.',
    export: 'Les demandes n’ont pas pu être exportées. Veuillez réessayer.',
  },
}
