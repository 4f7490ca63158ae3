import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import { nameChars } from '@keepsnap/contract/form-rules.ts'
import type * as english from '../en/event-helpers.ts'

export const helpers: typeof english.helpers = {
  heading: 'Assistants',
  lead: 'Une personne de confiance regarde les photos des invités à votre place, sur son téléphone et sans compte. Elle ne voit que cet événement : ni paramètres, ni adresses, ni originaux.',
  none: 'Il n’y a pas encore d’assistant.',
  list: 'Assistants de cet événement',
  add: 'Ajouter un assistant',
  name: 'Son nom',
  names: {
    missing: 'Veuillez saisir un nom',
    long: `Utilisez au plus ${nameChars.contributor} caractères`,
    characters: 'Le nom contient des retours à la ligne ou des caractères invisibles. Saisissez-le à nouveau',
    link: 'Le nom ne peut contenir ni lien ni adresse e-mail. Ajoutez un espace après un point',
  },
  nameHint: `Il figure à côté de ses décisions. Le lien fonctionne sur un seul appareil, jusqu’au lendemain de l’événement, ou pendant ${eventLimits.helperHours} heures s’il n’y a pas de date à venir.`,
  create: 'Créer le lien',
  loadFailed: 'Impossible de charger les assistants.',
  failed: 'Impossible d’enregistrer. Veuillez réessayer.',
  states: {
    new: 'Pas commencé',
    begun: 'Sur un appareil',
    asks: 'Un autre appareil demande l’accès',
    ended: 'Terminé',
  },
  until: (when) => `Fonctionne jusqu’au ${when}`,
  since: (when) => `Sur un appareil depuis : ${when}`,
  lastSeen: (when) => `Dernière activité : ${when}`,
  asked: (when) =>
    `Un autre appareil utilise le lien depuis : ${when}. Ne l’autorisez que si votre assistant a changé de téléphone.`,
  counts: (approved, rejected, hidden) => `Acceptées : ${approved}. Refusées : ${rejected}. Masquées : ${hidden}.`,
  nothing: 'Aucune décision pour l’instant.',
  allow: 'Autoriser cet appareil',
  allowed: 'Autorisé. L’appareil précédent ne fonctionne plus.',
  newLink: 'Nouveau lien',
  undo: 'Tout annuler',
  end: 'Mettre fin',
  remove: 'Supprimer',
  of: (action, name) => `${action} : ${name}`,
  link: {
    title: (name) => `Lien pour ${name}`,
    lead: 'Faites scanner ce code à votre assistant ou envoyez-lui le lien. Il n’est affiché que maintenant, et le premier appareil qui commence avec lui le garde.',
    qr: 'Code QR du lien',
    label: 'Lien pour l’assistant',
    close: 'Terminé',
  },
  renewal: {
    title: (name) => `Un nouveau lien pour ${name} ?`,
    question: 'Le lien précédent cesse aussitôt de fonctionner, y compris sur l’appareil qui l’utilise.',
    submit: 'Créer un nouveau lien',
  },
  undoing: {
    title: (name) => `Annuler ce que ${name} a fait ?`,
    question: (waiting, hidden) =>
      `Photos de nouveau en attente : ${waiting}. Photos de nouveau visibles : ${hidden}. Ce que vous avez décidé depuis reste.`,
    open: 'Cet assistant peut continuer. Mettez d’abord fin à son accès si vous ne le voulez pas.',
    confirm: 'Tout annuler',
    done: (waiting, shown) => `Annulé. De nouveau en attente : ${waiting}. De nouveau visibles : ${shown}.`,
  },
  ending: {
    title: (name) => `Mettre fin à l’accès de ${name} ?`,
    question: 'L’accès prend fin aussitôt. Les décisions restent, et vous pouvez encore les annuler.',
    confirm: 'Mettre fin',
    done: 'Terminé. Le lien ne fonctionne plus.',
  },
  removal: {
    title: (name) => `Supprimer ${name} ?`,
    question: 'Le nom est supprimé. Les décisions restent, mais ne peuvent plus être annulées ensemble.',
    confirm: 'Supprimer',
    done: 'Supprimé.',
  },
}

export const reviewedBy: typeof english.reviewedBy = {
  named: (name) => `Par ${name}`,
  helper: 'Par un assistant',
}

export const helping: typeof english.helping = {
  title: 'Aider avec les photos',
  begin: {
    heading: 'Aider avec les photos',
    lead: 'On vous a demandé de regarder les photos des invités : lesquelles peuvent être montrées, et lesquelles non.',
    device: 'Le lien fonctionne sur un seul appareil. Appuyez sur le bouton sur le téléphone que vous utiliserez.',
    button: 'Commencer',
    failed: 'Cela n’a pas fonctionné. Veuillez réessayer.',
  },
  refused: {
    heading: 'Ce lien est utilisé sur un autre appareil',
    lead: 'Demandez à l’hôte d’autoriser cet appareil : sur la page de l’événement, sous Assistants. Cette page continuera alors d’elle-même.',
    waiting: 'En attente de l’hôte…',
  },
  ended: {
    heading: 'Ce lien ne fonctionne plus',
    lead: 'Il a expiré, l’hôte y a mis fin, ou un autre appareil l’utilise maintenant. Demandez-en un nouveau à l’hôte si vous aidez encore. Merci de votre aide.',
  },
  until: (name, when) => `${name}, jusqu’au ${when}`,
  shown: 'Visibles',
  loadFailed: 'Impossible de charger les photos.',
  noneShown: 'Les invités ne voient encore aucune photo.',
  listLabel: 'Photos que les invités peuvent voir',
  fromHosts: 'Des hôtes',
  hidden: 'Masquée',
  held: 'À l’écran',
  hide: 'Masquer',
  show: 'Montrer de nouveau',
  hold: 'Épingler à l’écran',
  release: 'Détacher',
  of: (action, who) => `${action}. ${who}`,
  hiddenNow: 'Masquée. Les invités ne peuvent plus la voir.',
  shownNow: 'Les invités peuvent de nouveau la voir.',
  heldNow: 'Les écrans montrent cette photo pendant dix minutes.',
  releasedNow: 'Détachée.',
  unchanged: 'Cela a été modifié ailleurs entre-temps.',
  failed: 'Impossible de modifier cela. Veuillez réessayer.',
}

export const helperEmails: typeof english.helperEmails = {
  created: {
    subject: 'Un assistant a été ajouté à votre événement',
    heading: 'Un assistant a un lien vers votre événement',
    lead: (when, name) =>
      `Le ${when}, un lien a été créé avec lequel ${name} peut, sans compte, voir les photos d’un de vos événements, les accepter, les refuser et les masquer.`,
    hint: 'Si c’était vous, vous n’avez rien à faire. Sinon, définissez tout de suite un nouveau mot de passe. En vous connectant avec celui-ci, vous pourrez mettre fin à cet accès.',
  },
}
