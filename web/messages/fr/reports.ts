import type { reports as english } from '../en/reports.ts'

/** Photos that guests reported, and the owner's decision; docs/security.md T41. */
export const reports: typeof english = {
  heading: 'Photos signalées',
  lead: 'Une photo masquée devient aussitôt inaccessible aux invités : ses codes, ses pages et les liens des e-mails ne fonctionnent plus. Vous la voyez toujours et pouvez l’afficher à nouveau.',
  reasons: {
    me: 'J’y figure et je ne veux pas qu’elle soit montrée',
    child: 'Elle montre un enfant',
    hurtful: 'Elle est blessante',
    illegal: 'Elle est peut-être illégale',
    other: 'Un autre motif',
  },
  badges: { open: 'À examiner', hide: 'Masquée aux invités', keep: 'Visible', operator: 'Masquée par l’exploitant' },
  inGallery: 'dans la galerie',
  label: (name) => `Signalements de ${name}`,
  more: (count) => (count < 2 ? `${count} autre signalement` : `${count} autres signalements`),
  hide: 'Masquer aux invités',
  keep: 'Laisser visible',
  show: 'Afficher à nouveau',
  /** Of a photo that the operator of the site hid. */
  mistake: 'Vous pensez qu’il s’agit d’une erreur ?',
  support: 'Contacter l’assistance',
  undo: 'Annuler',
  done: {
    hide: 'Masquée. Les invités ne peuvent plus l’ouvrir.',
    keep: 'Les invités peuvent l’ouvrir. Ses signalements sont clos.',
    undo: 'Les invités peuvent à nouveau l’ouvrir. Elle reste à examiner.',
    staysHidden: 'Elle reste masquée aux invités.',
  },
  notice: {
    label: 'Photos signalées',
    heading: 'Un invité a signalé cette photo',
    more: (photos) => (photos < 2 ? `et ${photos} autre photo` : `et ${photos} autres photos`),
    review: 'Examiner',
    dismiss: 'Plus tard',
  },
  sign: (photos) => (photos < 2 ? `${photos} photo signalée` : `${photos} photos signalées`),
  confirmShow: {
    title: 'Afficher à nouveau cette photo ?',
    question: 'Les invités pourront à nouveau l’ouvrir par ses codes, ses pages et ses e-mails.',
    confirm: 'Afficher à nouveau',
  },
  reviewed: (count) => (count < 2 ? `${count} photo examinée` : `${count} photos examinées`),
  errors: {
    decide: 'Votre décision n’a pas pu être enregistrée. Veuillez réessayer.',
    undo: 'L’annulation a échoué. Veuillez réessayer.',
  },
}
