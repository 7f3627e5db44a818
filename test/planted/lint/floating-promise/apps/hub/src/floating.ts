const save = async () => Promise.resolve();
export const act = () => {
  save();
};
