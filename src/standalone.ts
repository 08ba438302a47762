// The library in one file, which is also an anywidget module: its default export.
export { default } from "./components/widget/widget.js";
export * from "./splatbook.js";
