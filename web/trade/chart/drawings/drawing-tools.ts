/** The parts of drawing that load with the first drawing or tool. */
export { DrawingBar } from './drawing-bar.tsx';
export { removeDrawings } from './drawing-history.ts';
export { DrawingLayer } from './drawing-layer.ts';
