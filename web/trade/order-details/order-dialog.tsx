import { Dialog } from '../../components/dialog.tsx';
import { Later } from '../../components/later.tsx';
import { t } from '../../i18n/index.ts';
import { shownOrder } from './shown-order.ts';

/** A drawer with the details of an order, whose code is loaded when it is first opened. */
export function OrderDialog() {
  return (
    <Dialog
      title={t('Order details')}
      open={shownOrder.value !== undefined}
      onClose={() => {
        shownOrder.value = undefined;
      }}
      isDrawer
    >
      <Later load={loadDetails} />
    </Dialog>
  );
}

const loadDetails = () => import('./order-details.tsx').then(({ OrderDetails }) => OrderDetails);
