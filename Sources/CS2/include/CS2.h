#ifdef __cplusplus
extern "C"
#endif
int cs2_placeholder(void);
