import type * as english from '../en/event-review.ts'

// In French, 0 and 1 are singular.
const photos = (count: number, written: string): string => `${written} photo${count < 2 ? '' : 's'}`

export const reviewCount: typeof english.reviewCount = {
  waiting: (count, written) => `${photos(count, written)} en attente`,
  review: 'Vérifier',
  of: (event) => `Vérifier « ${event} »`,
}

export const review: typeof english.review = {
  title: 'Vérification',
  lead: (count, written) => `${photos(count, written)} d’invités en attente.`,
  lists: 'Photos',
  waiting: 'En attente',
  decided: 'Décidées',
  loadFailed: 'Les photos n’ont pas pu être chargées.',
  stale: 'Les photos n’ont pas pu être rechargées. Cette liste n’est peut-être plus à jour.',
  missing: 'Cet événement n’existe plus.',
  empty: 'Tout est vu. Les nouvelles photos apparaissent ici d’elles-mêmes.',
  off: 'Les invités ne peuvent pas ajouter de photos à cet événement.',
  settings: 'Ouvrir l’événement',
  screen: 'Ouvrir l’écran',
  photo: 'Photo à vérifier',
  from: (name) => `De ${name}`,
  fromGuest: 'D’un invité',
  fromWhere: (who, where) => `${who}, ${where}`,
  alt: (who) => `Photo. ${who}`,
  position: (position, count) => `${position} sur ${count}`,
  hiddenByOperator: 'L’administrateur de ce site a masqué cette photo.',
  approve: 'Accepter',
  reject: 'Refuser',
  previous: 'Photo précédente',
  next: 'Photo suivante',
  undo: 'Annuler',
  keys: 'Raccourcis clavier',
  keysHint: 'A accepte, R refuse, U annule, les flèches montrent les autres photos',
  swipeHint: 'Glissez à droite pour accepter, à gauche pour refuser.',
  rejectedHint: (days) => `Les photos refusées restent chez vous ${days} jours. Les invités n’en savent pas la raison.`,
  done: {
    approved: (count, written) =>
      count === 1 ? 'Acceptée.' : `${photos(count, written)} acceptée${count < 2 ? '' : 's'}.`,
    rejected: (count, written) =>
      count === 1 ? 'Refusée.' : `${photos(count, written)} refusée${count < 2 ? '' : 's'}.`,
    waiting: (count, written) =>
      count === 1
        ? 'Annulé. La photo est de nouveau en attente.'
        : `Annulé. ${photos(count, written)} de nouveau en attente.`,
    nothing: 'Il n’y a rien à annuler.',
  },
  following: (who) => `Suivante : ${who}`,
  unsent: (count, written) =>
    count === 1
      ? 'Pas de connexion. 1 décision sera envoyée dès qu’elle sera rétablie.'
      : `Pas de connexion. ${written} décisions seront envoyées dès qu’elle sera rétablie.`,
  failed: (count, written) =>
    count === 1
      ? 'Votre décision n’a pas pu être enregistrée. La photo est de nouveau en attente.'
      : `Votre décision sur ${written} photos n’a pas pu être enregistrée. Elles sont de nouveau en attente.`,
  conflict: (count, written) =>
    count === 1
      ? 'Quelqu’un d’autre avait déjà décidé pour cette photo. Rien ne change.'
      : `Quelqu’un d’autre avait déjà décidé pour ${written} photos. Rien ne change.`,
  gone: (count, written) => (count === 1 ? 'La photo n’existe plus.' : `${written} photos n’existent plus.`),
  all: {
    open: (written) => `Tout accepter (${written})`,
    title: (written) => `Tout accepter (${written}) ?`,
    seen: (seen, written) => (seen === 0 ? 'Vous n’en avez vu aucune.' : `Vous en avez vu ${written}.`),
    question: 'Les invités les voient aussitôt, et l’écran montre la plus récente.',
    confirm: (written) => `Tout accepter (${written})`,
    dismiss: 'Continuer à regarder',
  },
  block: {
    open: 'Bloquer cet invité',
    title: (name) => `Bloquer ${name} ?`,
    titleGuest: 'Bloquer cet invité ?',
    question: (count, written) =>
      count === 1
        ? 'Sa photo est refusée si elle est en attente, et masquée si les invités la voient. Cette personne ne peut plus en ajouter.'
        : `Cela concerne ses ${written} photos : celles en attente sont refusées, celles que les invités voient sont masquées. Cette personne ne peut plus en ajouter.`,
    review:
      'Un autre téléphone compterait comme un autre invité. Désormais, les photos des invités vous attendent donc au lieu d’apparaître aussitôt.',
    confirm: 'Bloquer',
    done: (rejected, hidden) => `Invité bloqué. Refusées : ${rejected}. Masquées : ${hidden}.`,
    undone: (rejected, hidden) =>
      `Invité débloqué. De nouveau en attente : ${rejected}. De nouveau visibles : ${hidden}.`,
    reviewOn: 'Désormais, les photos des invités attendent votre accord.',
    failed: 'Cet invité n’a pas pu être bloqué. Veuillez réessayer.',
    undoFailed: 'L’annulation a échoué. Veuillez réessayer.',
  },
  blocked: 'Bloqué',
  unblock: 'Débloquer cet invité',
  pause: {
    label: 'Suspendre',
    on: 'Reprendre',
    saved: 'Enregistré.',
    failed: 'L’enregistrement a échoué. Veuillez réessayer.',
  },
  adding: {
    paused: 'Suspendu : les invités ne peuvent pas ajouter de photos pour le moment.',
    full: 'Il n’y a plus de place pour des photos d’invités : limite de l’événement, de votre formule ou de son stockage.',
    ended: 'L’ajout de photos est terminé pour cet événement.',
  },
  list: {
    empty: 'Rien n’est encore décidé.',
    label: 'Photos décidées',
    approved: 'Acceptée',
    rejected: 'Refusée',
    hidden: 'Masquée',
    gone: (day) => `Suppression le ${day}`,
    back: 'Remettre en attente',
    backNamed: (who) => `Remettre en attente. ${who}`,
    more: 'Afficher plus',
    moved: 'La photo est de nouveau en attente.',
    conflict: 'Cela a été modifié ailleurs entre-temps.',
    failed: 'La modification a échoué. Veuillez réessayer.',
  },
}
