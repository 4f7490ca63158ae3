import type { usage as english } from '../en/usage.ts'

/** What is left of a plan's limits. */
export const usage: typeof english = {
  heading: 'Utilisation ce mois-ci',
  photos: 'Photos',
  storage: 'Stockage',
  of: (used, most) => `${used} sur ${most}`,
  photosLeft: (percent, left, until) => `${percent}, encore ${left} jusqu’au ${until}`,
  storageLeft: (percent, left) => `${percent}, encore ${left}`,
  counting:
    'Les photos comptent à partir du 1er du mois (UTC). Celles que vous supprimez comptent aussi, celles qui échouent non.',
  yourPlan: (plan) => `Votre formule est ${plan}.`,
  planUnknown:
    'Nous ne pouvons pas dire pour le moment ce que comprend votre formule. Cela s’affichera ici dès que possible.',
  left: (left, most, until) =>
    `Encore ${left} ${left === '0' || left === '1' ? 'photo' : 'photos'} sur ${most} jusqu’au ${until}.`,
  monthNear: (used, left, until) => `Photos du mois : ${used} utilisées, encore ${left} jusqu’au ${until}.`,
  monthFull: (most, until) =>
    `Vos ${most} photos du mois sont utilisées. Les suivantes attendent dans la file d’envoi et partiront d’elles-mêmes le ${until}, ou avec une formule supérieure.`,
  storageNear: (used, left) => `Stockage : ${used} utilisés, encore ${left}.`,
  storageFull: (size) =>
    `Votre espace de ${size} est plein. Les photos qui ne tiennent plus attendent dans la file d’envoi et partiront d’elles-mêmes dès que vous en supprimerez d’autres, ou avec une formule supérieure.`,
  plans: 'Voir les formules',
  gallery: 'Ouvrir la galerie',
  subscription: 'Voir l’utilisation',
  hide: 'Masquer jusqu’à 90 %',
}
