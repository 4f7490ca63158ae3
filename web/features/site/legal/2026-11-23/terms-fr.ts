import { productName } from '@keepsnap/contract/site.ts'
import { paths } from '../../../../lib/paths.ts'
import { dollars, type LegalContext, type LegalSection, type LegalText } from '../legal-text.ts'
import { processing } from './terms-processing-fr.ts'

const parties: LegalSection = {
  id: 'parties',
  title: 'Les parties au contrat',
  blocks: () => [
    `Les présentes conditions générales constituent le contrat entre vous, titulaire d’un compte, et l’entreprise qui exploite ce site avec le programme ${productName} (« nous ») :`,
    { operator: { name: 'Entreprise', address: 'Adresse', vat: 'Numéro de TVA', email: 'E-mail' } },
    'Vous les acceptez en créant un compte ; nous enregistrons la version que vous avez acceptée. Elles valent pour les particuliers (consommateurs) comme pour les entreprises ; lorsqu’un passage ne concerne que les uns ou les autres, il le précise. Vos propres conditions ne s’appliquent pas. Les invités qui ouvrent une photo ne concluent pas de contrat avec nous ; l’[article](#content) dit ce qu’ils peuvent faire.',
  ],
}

const service: LegalSection = {
  id: 'service',
  title: 'Ce que vous obtenez',
  blocks: ({ values: v }) => [
    'Vous ajoutez des photos. Chacune reçoit une page et deux codes QR : l’un pour la télécharger, l’autre pour la demander par e-mail. Qui scanne un code reçoit la photo, selon vos réglages. Votre grand écran affiche la plus récente.',
    {
      table: {
        caption: 'Formules',
        head: ['Formule', 'Prix', 'Photos par mois', 'Stockage', 'Taille maximale d’un fichier'],
        rows: [
          ['Free', '$0', `${v.freePhotos}`, `${v.freeStorageGb} Go`, `${v.freeFileMb} Mo`],
          [
            'Pro Monthly',
            `${dollars(v.monthlyCents)} par mois`,
            `${v.monthlyPhotos}`,
            `${v.monthlyStorageGb} Go`,
            `${v.monthlyFileMb} Mo`,
          ],
          [
            'Pro Yearly',
            `${dollars(v.yearlyCents)} par an`,
            `${v.yearlyPhotos}`,
            `${v.yearlyStorageGb} Go`,
            `${v.yearlyFileMb} Mo`,
          ],
        ],
      },
    },
    `Les prix sont en dollars américains. Les formules Pro ajoutent vos propres logo, image de fond et filigrane, des statistiques d’utilisation et une assistance prioritaire ; Pro Yearly ajoute aussi l’accès à l’API. Les codes QR sont illimités dans toutes les formules. La page [Tarifs](${paths.pricing}) compare les formules.`,
    '**Au-delà d’une limite.** Une photo qui dépasse le nombre mensuel ou l’espace de stockage est refusée avec le motif et attend dans votre navigateur ; elle est envoyée au début du mois suivant, lorsque vous supprimez des photos, ou avec une formule supérieure. Un fichier trop volumineux attend une formule qui l’accepte. Les photos déjà stockées restent, et leurs codes continuent de fonctionner. Les mois sont des mois civils en UTC ; une photo supprimée compte pour son mois.',
    `**Usage raisonnable.** Pour protéger tout le monde, il existe des limites par minute (par exemple ${v.uploadsPerMinute} envois par compte et ${v.authPerMinute} tentatives de connexion depuis un même endroit), ainsi que des limites pour les e-mails aux invités et pour les fichiers longs à traiter. Si vous en atteignez une, nous vous indiquons quoi faire.`,
  ],
}

const account: LegalSection = {
  id: 'account',
  title: 'Votre compte',
  blocks: () => [
    'Vous devez être majeur, ou avoir l’autorisation d’un parent ou d’un tuteur. L’adresse e-mail doit être la vôtre et être exacte : nous y écrivons au sujet de votre formule et de vos photos. Gardez votre mot de passe pour vous et prévenez-nous si quelqu’un d’autre le connaît. Vous répondez de ce qui est fait avec votre compte, sauf si la faute est la nôtre ou si vous nous avez prévenus.',
    'Un compte est destiné à une seule personne ou à une seule entreprise. Vous pouvez laisser d’autres personnes l’utiliser, sous votre responsabilité.',
  ],
}

const money: Record<LegalContext['site']['payments'], string> = {
  stripe:
    '**Paiement.** Les formules se paient d’avance par carte, sur la page de notre prestataire de paiement Stripe. Le prix du tableau est tout ce que vous payez : la TVA est comprise lorsqu’elle est due, et il n’y a pas de frais de mise en service. Le prestataire de paiement établit une facture pour chaque paiement.',
  demo: '**Démo : aucun paiement réel.** Sur ce site, les paiements sont une démonstration. Aucune carte n’est demandée, rien n’est débité ni remboursé ; ce qui suit montre ce qui s’appliquerait.',
  off: '**Ce site ne vend pas de formules.** Son exploitant peut vous attribuer une formule supérieure sans paiement. Ce qui suit s’appliquerait si des formules étaient vendues.',
}

const payment: LegalSection = {
  id: 'payment',
  title: 'Prix, renouvellement et résiliation',
  blocks: ({ values: v, site }) => [
    money[site.payments],
    `**Renouvellement.** Une formule payante se renouvelle automatiquement, pour un mois ou un an de plus au même prix, jusqu’à ce que vous résiliiez. Vous pouvez résilier à tout moment dans les [Paramètres](${paths.settings}), jusqu’au dernier jour, sans motif et sans frais. Vous gardez la formule jusqu’à la fin de la période payée, et plus rien n’est débité. D’ici là, vous pouvez revenir sur votre résiliation.`,
    '**Changement.** Vous pouvez passer du paiement mensuel à l’annuel ou inversement à tout moment ; le changement prend effet immédiatement. Ce qui reste de la période payée est déduit du nouveau prix. S’il reste davantage, le solde couvre vos paiements suivants, tant que l’abonnement se poursuit.',
    `**Un paiement qui échoue.** Votre formule continue pendant ${v.graceDays} jours, durant lesquels de nouvelles tentatives de paiement ont lieu, et nous vous indiquons comment y remédier. Ensuite, vous passez à Free. Si vous résiliez alors qu’un paiement manque, la formule prend fin immédiatement et ce paiement ne vous est plus demandé.`,
    '**De nouveaux prix** ne s’appliquent qu’aux formules qui commencent ou se renouvellent après l’annonce prévue à l’[article](#changes).',
    '**Une formule offerte**, que nous vous attribuons sans paiement, prend fin le jour que nous indiquons, ou lorsque nous la retirons.',
  ],
}

const refund: LegalSection = {
  id: 'refund',
  title: 'Remboursement et droit de rétractation',
  blocks: ({ values: v }) => [
    `**Satisfait ou remboursé pendant ${v.refundDays} jours.** Dans les ${v.refundDays} jours suivant votre premier paiement, vous pouvez récupérer tout ce que vous avez payé, sans motif : « Demander un remboursement » dans les [Paramètres](${paths.settings}). L’argent retourne sur la carte utilisée. Votre formule prend fin immédiatement et vous passez à Free ; l’[article](#end) s’applique à vos photos. Nous offrons cette garantie une seule fois par client, aux consommateurs comme aux entreprises.`,
    '**Droit de rétractation des consommateurs.** Si vous êtes un consommateur, vous pouvez vous rétracter d’un contrat payant dans les 14 jours de sa conclusion, sans motif (articles VI.47 et suivants du Code de droit économique belge). La garantie ci-dessus va plus loin et reste le moyen le plus simple. Pour un contrat qu’elle ne couvre pas, par exemple un deuxième, dites-le-nous en termes clairs dans ce délai, par exemple par e-mail. Vous récupérez alors tout ce que vous avez payé pour ce contrat, au plus tard 14 jours après nous avoir prévenus, par le moyen de paiement utilisé ; nous ne retenons rien pour les jours d’utilisation.',
    {
      contact: 'operator',
      before: 'Rétractez-vous par un message à',
      after:
        'Vous pouvez écrire : « Je me rétracte de mon contrat portant sur la formule… conclu le (date). Nom, adresse e-mail du compte, date. »',
    },
  ],
}

const content: LegalSection = {
  id: 'content',
  title: 'Vos photos, et ce qui est interdit',
  blocks: ({ values: v }) => [
    '**Vos photos restent les vôtres.** Vous nous donnez seulement le droit de les stocker, de les convertir, de les montrer et de les envoyer, dans la mesure où le service l’exige et aussi longtemps qu’elles sont stockées ici. Nous n’en faisons aucun autre usage : ni publicité, ni entraînement de machines.',
    '**Vous répondez de ce que vous ajoutez.** Vous avez le droit de le partager, et les personnes photographiées en sont informées ou ont donné leur accord, comme la loi l’exige. Dites-leur, par exemple à l’écran ou à l’entrée, qui prend les photos et ce qu’elles deviennent.',
    '**Sont interdits** : ce qui enfreint la loi ou les droits d’autrui ; les images à caractère sexuel de mineurs, la haine, les menaces ; les images portant atteinte à l’intimité de personnes sans leur consentement ; les fichiers malveillants ; les e-mails à des personnes qui n’en ont pas demandé ; chercher des failles dans notre sécurité sans notre accord, contourner les limites ou surcharger le service au détriment des autres ; revendre le service comme le vôtre sans accord avec nous.',
    '**Les invités** peuvent ouvrir, enregistrer et utiliser une photo dans la mesure permise par son propriétaire et par la loi ; un code ne leur donne aucun autre droit sur elle. Ils peuvent la signaler.',
    `**Signalements.** Toute personne peut signaler une photo sur sa page, avec un motif et une remarque ; pour chaque motif, ${v.openReports} signalements en cours sont conservés. Le propriétaire en est informé et peut masquer la photo ou la laisser visible. Nous examinons aussi les photos signalées : ce qui est illicite ou contraire aux présentes conditions, nous le masquons aux invités. Dans les cas graves ou répétés, nous fermons le compte. Le propriétaire voit la décision et peut répondre par e-mail ; une personne procède alors à un nouvel examen. Aucune machine ne décide des contenus.`,
  ],
}

const end: LegalSection = {
  id: 'end',
  title: 'La fin d’une formule ou du compte',
  blocks: ({ values: v }) => [
    `**Lorsqu’une formule payante prend fin**, vous passez à Free. Les codes continuent de fonctionner. Le logo, l’image de fond, le filigrane, les statistiques et l’accès à l’API s’arrêtent. Seul le stockage compte pour ce qui reste : vos photos sont conservées ${v.keepDays} jours. Ensuite, si elles occupent plus que les ${v.freeStorageGb} Go de la formule Free, les plus anciennes sont supprimées jusqu’à ce que le reste y tienne. Avant cela, nous envoyons ${v.keepEmails} e-mails (aux jours ${v.keepEmailDays}) avec le nombre de photos, la date et un lien vers un fichier qui les contient toutes. Pendant les ${v.undoRemovalDays} jours qui suivent la suppression, vous pouvez l’annuler dans la limite de l’espace disponible.`,
    `**Vous pouvez partir à tout moment** : « Exporter mes données » et « Supprimer mon compte » dans les [Paramètres](${paths.settings}). La suppression met aussi fin à un abonnement et est irréversible ; ce qui est payé n’est alors pas remboursé, sauf selon l’[article](#refund).`,
    `**Nous pouvons mettre fin au contrat** par e-mail, au moins ${v.noticeDays} jours à l’avance, et remboursons alors ce que vous avez payé pour la période restante. Pour un motif grave, tel qu’une violation sérieuse de l’[article](#content) ou un paiement frauduleux, nous pouvons fermer votre compte immédiatement ; vous pouvez encore obtenir vos données, sauf si une loi l’interdit. Si nous mettons fin à une formule sans motif de votre part, la part du prix correspondant au reste de la période vous est remboursée.`,
  ],
}

/** Les conditions générales en français, une traduction. */
export const text: LegalText = {
  translation:
    'Ce texte est une traduction. Seuls les textes néerlandais et anglais des conditions générales font foi ; en cas de différence, ce sont eux qui s’appliquent.',
  summary: ({ values: v }) => [
    'Vos photos restent les vôtres.',
    `Résiliez à tout moment. Dans les ${v.refundDays} jours du premier paiement, tout vous est remboursé sur demande, une fois.`,
    `Après la fin d’une formule payante, vos photos sont conservées ${v.keepDays} jours ; ensuite, les plus anciennes sont supprimées, jusqu’à ce que le reste tienne dans la formule Free.`,
    'Le droit belge s’applique. Les consommateurs gardent les droits que la loi leur donne.',
  ],
  sections: [parties, service, account, payment, refund, content, end, ...processing],
}
