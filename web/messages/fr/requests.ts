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
  empty: 'Pas encore de demandes. Elles apparaissent ici quand un invité demande une photo.',
  askForEmail: 'Demander une adresse e-mail',
  filename: (day) => `demandes-de-photos-${day}.csv`,
  errors: {
    load: 'Les demandes n’ont pas pu être chargées. Veuillez réessayer.',
    more: 'La suite des demandes n’a pas pu être chargée. Veuillez réessayer.',
    resend: 'L’e-mail n’a pas pu être renvoyé. Veuillez réessayer.',
    export: 'Les demandes n’ont pas pu être exportées. Veuillez réessayer.',
  },
}
